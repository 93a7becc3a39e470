import GLibSupport
import Glibc
import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneDecoding

@Suite struct OpenedPictureTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// The error's code for a path, or nil if it opens.
    private func code(_ path: String) -> ErrorCode? {
        do throws(RequestError) {
            _ = try OpenedPicture.open(Array(path.utf8))
            return nil
        } catch {
            return error.code
        }
    }

    @Test func opensARegularFileForReadingOnly() throws {
        let path = try directory.write([7, 8, 9], as: "file")
        let file = try OpenedPicture.open(Array(path.utf8))
        var buffer = [UInt8](repeating: 0, count: 8)
        unsafe #expect(read(file.descriptor.number, &buffer, 8) == 3)
        #expect(buffer.prefix(3) == [7, 8, 9])
        #expect(fcntl(file.descriptor.number, F_GETFL) & O_ACCMODE == O_RDONLY)
        #expect(fcntl(file.descriptor.number, F_GETFD) & FD_CLOEXEC != 0)
        #expect(file.identity.size == 3)
    }

    @Test func takesNamesAsBytes() throws {
        let name: [UInt8] = [0xff, 0xfe, 0x0a, 0x20, 0x22]
        let path = Array("\(directory.path)/".utf8) + name
        let characters = path.map(CChar.init(bitPattern:)) + [0]
        let made = unsafe open(characters, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(made >= 0)
        close(made)
        defer { unsafe unlink(characters) }
        let file = try OpenedPicture.open(path)
        #expect(file.identity.size == 0)
    }

    @Test func followsSymbolicLinks() throws {
        let path = try directory.write([1], as: "target")
        unsafe try #require(symlink(path, directory.place("link")) == 0)
        #expect(code("\(directory.path)/link") == nil)
    }

    @Test func saysWhatIsNotThere() throws {
        let path = try directory.write([1], as: "file")
        #expect(code("\(directory.path)/none") == .notFound)
        #expect(code("\(path)/below") == .notFound)
        #expect(code("/" + String(repeating: "x", count: 300)) == .notFound)
        #expect(code("/" + String(repeating: "x/", count: 2500)) == .notFound)
        unsafe try #require(symlink("loop", directory.place("loop")) == 0)
        #expect(code("\(directory.path)/loop") == .notFound)
    }

    @Test(.timeLimit(.minutes(1))) func refusesAllButRegularFilesAtOnce() throws {
        let fifo = directory.place("fifo")
        unsafe try #require(mkfifo(fifo, 0o600) == 0)
        let socket = Descriptor(owning: Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        var address = sockaddr_un(family: directory.place("socket"))
        let bound = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)

        for path in [fifo, directory.path, "\(directory.path)/socket", "/dev/zero", "/dev/null"] {
            #expect(code(path) == .notAFile, "\(path)")
        }
    }

    @Test func refusesWhatItMayNotRead() throws {
        let path = try directory.write([1], as: "secret", mode: 0)
        if geteuid() == 0 {
            // Root reads everything; what the mapping says is tested below.
            #expect(code(path) == nil)
        } else {
            #expect(code(path) == .permissionDenied)
        }
    }

    @Test(arguments: [
        (ENOENT, ErrorCode.notFound), (ENOTDIR, .notFound), (ELOOP, .notFound),
        (ENAMETOOLONG, .notFound), (EACCES, .permissionDenied), (EPERM, .permissionDenied),
        (ENXIO, .notAFile), (EIO, .readFailed), (ESTALE, .readFailed), (ETIMEDOUT, .readFailed),
        (ENODEV, .readFailed), (EMFILE, .readFailed), (EOVERFLOW, .readFailed),
    ])
    func translatesErrorNumbers(_ number: Int32, _ code: ErrorCode) {
        let error = RequestError(SystemError(number, "opening the file"))
        #expect(error.code == code)
        #expect(error.message.hasPrefix("opening the file: "))
    }

    @Test func withoutProcItLooksAtWhatItOpenedInstead() throws {
        let path = try directory.write([1, 2], as: "one")
        let other = try directory.write([3], as: "two")
        let identity = try OpenedPicture.open(Array(path.utf8)).identity
        let again = try OpenedPicture.openWithoutProc(Array(path.utf8), expecting: identity)
        #expect(again.identity == identity)
        #expect(throws: RequestError(.fileChanged, "the file was replaced while it was opened")) {
            _ = try OpenedPicture.openWithoutProc(Array(other.utf8), expecting: identity)
        }
        let fifo = directory.place("fifo")
        unsafe try #require(mkfifo(fifo, 0o600) == 0)
        let error = #expect(throws: RequestError.self) {
            _ = try OpenedPicture.openWithoutProc(Array(fifo.utf8), expecting: identity)
        }
        #expect(error?.code == .notAFile)
    }
}

extension sockaddr_un {
    /// The address of a socket in the file system.
    init(family path: String) {
        self.init()
        sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &sun_path) { bytes in
            unsafe bytes.copyBytes(from: path.utf8.prefix(bytes.count - 1))
        }
    }
}
