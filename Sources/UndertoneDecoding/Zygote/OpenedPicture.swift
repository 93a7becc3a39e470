import CLinux
import GLibSupport
import Glibc
import UndertoneColor
import UndertoneProtocol

/// A picture's file, open for reading, and which file it was before its first byte was read.
struct OpenedPicture: ~Copyable {
    let descriptor: Descriptor
    let identity: FileIdentity

    /// Opens a regular file and nothing else.
    ///
    /// The path is first opened as a mere place (`O_PATH`), which wakes no device, waits for no
    /// writer of a FIFO and breaks no lease. What `fstat` calls a regular file is then opened
    /// through `/proc`, so that nothing else can take its place in between.
    ///
    /// - Parameter waits: Whether to wait for whoever holds a lease on it.
    static func open(_ path: [UInt8], waits: Bool = true) throws(RequestError) -> OpenedPicture {
        let place = try translating { () throws(SystemError) in try open(path, CLINUX_O_PATH) }
        let identity = try identify(place.number)
        do throws(RequestError) {
            let descriptor = try openForReading(
                Array("/proc/self/fd/\(place.number)".utf8), waits: waits)
            return OpenedPicture(descriptor: descriptor, identity: identity)
        } catch {
            if unsafe access("/proc/self/fd", F_OK) == 0 { throw error }
            return try openWithoutProc(path, expecting: identity, waits: waits)
        }
    }

    /// Opens the path again, where no `/proc` is mounted, and looks at what that gave.
    static func openWithoutProc(
        _ path: [UInt8], expecting place: FileIdentity, waits: Bool = true
    ) throws(RequestError) -> OpenedPicture {
        let descriptor = try openForReading(path, waits: waits)
        let identity = try identify(descriptor.number)
        guard identity.device == place.device, identity.inode == place.inode else {
            throw RequestError(.fileChanged, "the file was replaced while it was opened")
        }
        return OpenedPicture(descriptor: descriptor, identity: identity)
    }

    /// Opens without waiting, unless somebody holds a lease on the file: then the kernel has asked
    /// for it back, and the second, waiting call returns as soon as it is given. If it isn't, only
    /// this child waits, until its deadline.
    private static func openForReading(
        _ path: [UInt8], waits: Bool
    ) throws(RequestError) -> Descriptor {
        let flags = O_RDONLY | O_NOCTTY
        return try translating { () throws(SystemError) in
            do throws(SystemError) {
                return try open(path, flags | O_NONBLOCK)
            } catch {
                guard error.number == EWOULDBLOCK, waits else { throw error }
                return try open(path, flags)
            }
        }
    }

    private static func open(_ path: [UInt8], _ flags: Int32) throws(SystemError) -> Descriptor {
        let characters = path.map(CChar.init(bitPattern:)) + [0]
        let number = try retrying("opening the file") {
            unsafe Glibc.open(characters, flags | O_CLOEXEC)
        }
        return Descriptor(owning: number)
    }

    /// Tells which regular file a path leads to, nil where none can be reached. From then on the
    /// kernel knows the way.
    static func lookUp(_ path: [UInt8]) -> FileIdentity? {
        guard let place = try? open(path, CLINUX_O_PATH) else { return nil }
        return try? identify(place.number)
    }

    /// Says which file is open, and refuses anything but a regular one.
    static func identify(_ descriptor: Int32) throws(RequestError) -> FileIdentity {
        var found = clinux_identity()
        _ = try translating { () throws(SystemError) in
            try checking("identifying the file") {
                unsafe clinux_fstat_identity(descriptor, &found)
            }
        }
        guard found.mode & S_IFMT == S_IFREG else {
            throw RequestError(.notAFile, "\(kind(of: found.mode)), not a picture's file")
        }
        return FileIdentity(found)
    }

    private static func kind(of mode: UInt32) -> String {
        switch mode & S_IFMT {
        case S_IFDIR: "a directory"
        case S_IFIFO: "a FIFO"
        case S_IFSOCK: "a socket"
        case S_IFCHR, S_IFBLK: "a device"
        default: "a special file"
        }
    }

    private static func translating<Value: ~Copyable>(
        _ body: () throws(SystemError) -> Value
    ) throws(RequestError) -> Value {
        do {
            return try body()
        } catch {
            throw RequestError(error)
        }
    }
}

extension RequestError {
    /// What a file that can't be opened means to the client that asked.
    init(_ error: SystemError) {
        let code: ErrorCode =
            switch error.number {
            case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG: .notFound
            case EACCES, EPERM: .permissionDenied
            case ENXIO, EISDIR: .notAFile
            default: .readFailed
            }
        self.init(code, error.description)
    }
}
