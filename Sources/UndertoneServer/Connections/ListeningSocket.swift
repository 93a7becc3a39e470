import GLibSupport
import Glibc

/// The socket that clients connect to, and its file, if this process made it.
///
/// A lock file beside the socket is held for as long as the socket is there: whoever holds it may
/// replace a stale one.
final class ListeningSocket: Sendable {
    /// Why there is no socket to listen on.
    enum Failure: Error, Equatable {
        /// Another daemon listens on the socket at this path.
        case alreadyRunning([UInt8])
        /// Something that is no socket is at this path, and stays there.
        case notASocket([UInt8])
        /// The lock's place, this path, is taken by something that is no file of ours.
        case notALock([UInt8])
        /// A system call failed.
        case system(SystemError)
    }

    /// Which file a path led to.
    private struct FileNumber: Equatable {
        var device: dev_t
        var inode: ino_t
    }

    /// The socket, non-blocking.
    let descriptor: SharedDescriptor
    private let path: [UInt8]
    private let lock: SharedDescriptor?
    private let file: FileNumber?

    /// Takes over a socket that the service manager listens on; its file is not ours.
    init(passed descriptor: SharedDescriptor) throws(SystemError) {
        self.descriptor = descriptor
        path = []
        lock = nil
        file = nil
        var listens: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        _ = try retrying("the passed descriptor") {
            unsafe getsockopt(descriptor.number, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size)
        }
        guard listens == 1 else { throw SystemError(EINVAL, "the passed descriptor") }
        try UnixSocket.makeNonBlocking(descriptor.number)
    }

    /// Makes the socket's file, mode 0600, and its directory, mode 0700, if there is none.
    ///
    /// Exactly one process succeeds, however many try at once. Only a socket that refuses
    /// connections is replaced.
    ///
    /// - Parameter ownsDirectory: Whether the directory is nobody else's business, so that it is
    ///   closed to others if it was there before.
    init(at path: [UInt8], ownsDirectory: Bool = false) throws(Failure) {
        self.path = path
        let lockPath = path + Array(".lock".utf8)
        do throws(SystemError) {
            if let slash = path.lastIndex(of: UInt8(ascii: "/")), slash > 0 {
                let directory = path[..<slash].cString
                unsafe mkdir(directory, 0o700)
                if ownsDirectory {
                    _ = try retrying("the socket's directory \(printable(Array(path[..<slash])))") {
                        unsafe chmod(directory, 0o700)
                    }
                }
            }
            guard let lock = try Self.takeLock(lockPath) else {
                throw SystemError(EWOULDBLOCK, "flock")
            }
            self.lock = lock
        } catch {
            throw switch error.number {
            case EWOULDBLOCK: .alreadyRunning(path)
            case ELOOP, ENXIO, EISDIR: .notALock(lockPath)
            default: .system(error)
            }
        }
        try Self.removeStale(path)
        do throws(SystemError) {
            let socket = try UnixSocket.stream(nonBlocking: true)
            // Before bind, which copies the mode: there is no moment in which others may connect.
            let number = socket.number
            _ = try retrying("fchmod") { fchmod(number, 0o600) }
            try UnixSocket.bind(socket, to: try UnixSocketAddress(path))
            _ = try retrying("listening at \(printable(path))") { listen(number, SOMAXCONN) }
            descriptor = SharedDescriptor(socket)
            file = Self.status(path).map { FileNumber(device: $0.st_dev, inode: $0.st_ino) }
        } catch {
            throw .system(
                error.call == "bind"
                    ? SystemError(error.number, "binding \(printable(path))") : error)
        }
    }

    /// Whether it is the service manager's.
    var isPassed: Bool { lock == nil }

    /// The directory of the socket's file, if this process made the file.
    var directory: [UInt8]? {
        file == nil ? nil : DirectoryChanges.directory(of: path)
    }

    /// Whether the socket's file is still the one that was made, so that clients find it.
    var isInPlace: Bool {
        guard let file, let status = Self.status(path) else { return false }
        return file == FileNumber(device: status.st_dev, inode: status.st_ino)
    }

    /// Leaves the socket's place to another daemon: removes the file if it is still the one that
    /// was made, then lets go of the lock. The lock file stays: to remove it would be a race.
    ///
    /// From then on nobody can connect. Whoever has done so still waits to be accepted, and is the
    /// last: who comes after them, having looked the file up before, is refused. A socket that was
    /// passed stays the service manager's, which keeps who connects for the next daemon.
    func vacate() {
        if isInPlace { unsafe unlink(path.cString) }
        if !isPassed { shutdown(descriptor.number, Int32(SHUT_RD)) }
        if let lock { flock(lock.number, LOCK_UN) }
    }

    /// Opens and locks the lock file; nil if another process has it.
    private static func takeLock(_ path: [UInt8]) throws(SystemError) -> SharedDescriptor? {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK
        let name = "the lock file \(printable(path))"
        let number = try retrying(name) {
            unsafe open(path.cString, flags, mode_t(0o600))
        }
        let lock = SharedDescriptor(Descriptor(owning: number))
        var status = stat()
        guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw SystemError(ENXIO, name)
        }
        if flock(number, LOCK_EX | LOCK_NB) == 0 { return lock }
        if errno == EWOULDBLOCK { return nil }
        throw SystemError(errno, name)
    }

    /// Clears the socket's place of a socket that nobody listens on.
    private static func removeStale(_ path: [UInt8]) throws(Failure) {
        guard let status = status(path) else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
        do throws(SystemError) {
            let socket = try UnixSocket.stream(nonBlocking: true)
            try UnixSocket.connect(socket, to: try UnixSocketAddress(path))
            throw SystemError(EADDRINUSE, "connect")
        } catch {
            switch error.number {
            case ECONNREFUSED: unsafe unlink(path.cString)
            case ENOENT: break
            // EAGAIN: somebody listens, and too many knock.
            case EADDRINUSE, EAGAIN, EINPROGRESS: throw .alreadyRunning(path)
            default:
                throw .system(SystemError(error.number, "connecting to \(printable(path))"))
            }
        }
    }

    private static func status(_ path: [UInt8]) -> stat? {
        var status = stat()
        return unsafe lstat(path.cString, &status) == 0 ? status : nil
    }
}

extension ListeningSocket.Failure: CustomStringConvertible {
    /// One line that says what is in the way.
    var description: String {
        switch self {
        case .alreadyRunning(let path):
            "already running: another daemon listens on \(printable(path))"
        case .notASocket(let path):
            "something that is not a socket is in the socket's place, \(printable(path))"
        case .notALock(let path):
            "something that is not a file is in the place of the socket's lock, "
                + printable(path)
        case .system(let error): "no socket: \(error)"
        }
    }
}
