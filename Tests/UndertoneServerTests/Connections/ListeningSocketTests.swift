import GLibSupport
import Glibc
import Testing

@testable import UndertoneServer

@Suite struct ListeningSocketTests {
    private static func withDirectory(_ body: (String) throws -> Void) throws {
        let directory = try TestDaemon.makeDirectory()
        defer {
            for name in TestDaemon.entries(directory) { unsafe unlink(directory + "/" + name) }
            unsafe rmdir(directory)
        }
        try body(directory)
    }

    private static func failure(_ path: String) -> ListeningSocket.Failure? {
        do throws(ListeningSocket.Failure) {
            _ = try ListeningSocket(at: Array(path.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test func aSecondOneOnTheSamePathIsRefusedAndTheFirstStays() throws {
        try Self.withDirectory { directory in
            let path = directory + "/s"
            let first = try ListeningSocket(at: Array(path.utf8))
            #expect(Self.failure(path) == .alreadyRunning(Array(path.utf8)))
            let socket = try UnixSocket.stream(nonBlocking: false)
            try UnixSocket.connect(socket, to: UnixSocketAddress(Array(path.utf8)))
            first.vacate()
            #expect(unsafe access(path, F_OK) == -1)
        }
    }

    /// Two that find a stale socket at once would otherwise both replace it.
    @Test func whoeverHoldsTheLockDecidesEvenWithoutASocket() throws {
        try Self.withDirectory { directory in
            let path = directory + "/s"
            let lock = unsafe Descriptor(
                owning: open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
            try #require(flock(lock.number, LOCK_EX | LOCK_NB) == 0)
            #expect(Self.failure(path) == .alreadyRunning(Array(path.utf8)))
            try #require(flock(lock.number, LOCK_UN) == 0)
            #expect(Self.failure(path) == nil)
        }
    }

    @Test func aStaleSocketIsReplaced() throws {
        try Self.withDirectory { directory in
            let path = directory + "/s"
            do {
                let stale = try UnixSocket.stream(nonBlocking: false)
                try UnixSocket.bind(stale, to: UnixSocketAddress(Array(path.utf8)))
            }
            #expect(unsafe access(path, F_OK) == 0)
            let listener = try ListeningSocket(at: Array(path.utf8))
            let socket = try UnixSocket.stream(nonBlocking: false)
            try UnixSocket.connect(socket, to: UnixSocketAddress(Array(path.utf8)))
            listener.vacate()
        }
    }

    @Test func aSocketOnWhichSomebodyElseListensIsNotTaken() throws {
        try Self.withDirectory { directory in
            let path = directory + "/s"
            let other = try UnixSocket.stream(nonBlocking: false)
            try UnixSocket.bind(other, to: UnixSocketAddress(Array(path.utf8)))
            listen(other.number, 0)
            #expect(Self.failure(path) == .alreadyRunning(Array(path.utf8)))
            // Now its queue is full, and it still listens.
            #expect(Self.failure(path) == .alreadyRunning(Array(path.utf8)))
            #expect(Self.failure(path) == .alreadyRunning(Array(path.utf8)))
            #expect(unsafe access(path, F_OK) == 0)
        }
    }

    @Test func regularFilesDirectoriesAndLinksStayInPlace() throws {
        try Self.withDirectory { directory in
            try TestDaemon.write("mine", to: directory + "/file")
            #expect(
                Self.failure(directory + "/file") == .notASocket(Array((directory + "/file").utf8)))
            #expect(TestDaemon.read(directory + "/file") == "mine")

            unsafe mkdir(directory + "/directory", 0o700)
            defer { unsafe rmdir(directory + "/directory") }
            #expect(
                Self.failure(directory + "/directory")
                    == .notASocket(Array((directory + "/directory").utf8)))

            // A link to a stale socket is a link all the same.
            unsafe symlink("/nonexistent", directory + "/link")
            #expect(
                Self.failure(directory + "/link") == .notASocket(Array((directory + "/link").utf8)))
            #expect(unsafe unlink(directory + "/link") == 0)
        }
    }

    @Test func theLocksPlaceMustBeAFile() throws {
        try Self.withDirectory { directory in
            unsafe symlink(directory + "/elsewhere", directory + "/a.lock")
            #expect(
                Self.failure(directory + "/a") == .notALock(Array((directory + "/a.lock").utf8)))
            #expect(unsafe access(directory + "/elsewhere", F_OK) == -1)
            unsafe mkfifo(directory + "/b.lock", 0o600)
            #expect(
                Self.failure(directory + "/b") == .notALock(Array((directory + "/b.lock").utf8)))
        }
    }

    @Test func aMissingDirectoryIsMadePrivateButNotItsParents() throws {
        try Self.withDirectory { directory in
            let listener = try ListeningSocket(at: Array((directory + "/new/s").utf8))
            var status = stat()
            #expect(unsafe stat(directory + "/new", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o700)
            listener.vacate()
            unsafe unlink(directory + "/new/s.lock")

            unsafe chmod(directory + "/new", 0o755)
            let shared = try ListeningSocket(at: Array((directory + "/new/s").utf8))
            unsafe stat(directory + "/new", &status)
            #expect(status.st_mode & 0o777 == 0o755)
            shared.vacate()
            unsafe unlink(directory + "/new/s.lock")
            let own = try ListeningSocket(
                at: Array((directory + "/new/s").utf8), ownsDirectory: true)
            unsafe stat(directory + "/new", &status)
            #expect(status.st_mode & 0o777 == 0o700)
            own.vacate()
            unsafe unlink(directory + "/new/s.lock")
            unsafe rmdir(directory + "/new")
            #expect(
                Self.failure(directory + "/x/y/s")
                    == .system(SystemError(ENOENT, "the lock file \(directory)/x/y/s.lock")))
        }
    }

    @Test func onlyAListeningSocketCanBePassed() throws {
        let (one, _) = try UnixSocket.packetPair()
        #expect(throws: SystemError(EINVAL, "the passed descriptor")) {
            try ListeningSocket(passed: one)
        }
    }
}
