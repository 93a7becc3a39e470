import Glibc
import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneServer

@Suite struct PathIdentityTests {
    private static func withDirectory(_ body: (String) throws -> Void) throws {
        let directory = try TestDaemon.makeDirectory()
        defer {
            for name in TestDaemon.entries(directory) { unsafe unlink(directory + "/" + name) }
            unsafe rmdir(directory)
        }
        try body(directory)
    }

    private static func lookUp(_ path: String) -> FileIdentity? {
        PathIdentity.lookUp(Array(path.utf8))
    }

    @Test func aRegularFileIsTheFileOfStat() throws {
        try Self.withDirectory { directory in
            let path = directory + "/a"
            try TestDaemon.write("abc", to: path)
            var status = stat()
            unsafe stat(path, &status)
            let identity = try #require(Self.lookUp(path))
            #expect(identity.device == status.st_dev)
            #expect(identity.inode == status.st_ino)
            #expect(identity.size == 3)
            #expect(
                identity.modified
                    == Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
            #expect(
                identity.changed
                    == Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec))
        }
    }

    @Test func linksLeadToTheFileAndOtherFilesAreOthers() throws {
        try Self.withDirectory { directory in
            try TestDaemon.write("abc", to: directory + "/a")
            try TestDaemon.write("abc", to: directory + "/b")
            unsafe symlink(directory + "/a", directory + "/link")
            #expect(Self.lookUp(directory + "/link") == Self.lookUp(directory + "/a"))
            #expect(Self.lookUp(directory + "/a") != Self.lookUp(directory + "/b"))
        }
    }

    @Test func whatIsNoRegularFileIsLeftToAChild() throws {
        try Self.withDirectory { directory in
            unsafe mkfifo(directory + "/fifo", 0o600)
            unsafe symlink(directory + "/loop", directory + "/loop")
            for path in ["/fifo", "/loop", "/missing", ""] {
                #expect(Self.lookUp(directory + path) == nil)
            }
            #expect(Self.lookUp("/dev/null") == nil)
            #expect(PathIdentity.lookUp([]) == nil)
        }
    }

    @Test func aNameThatNobodyHasLookedUpIsUnknown() throws {
        try Self.withDirectory { directory in
            try TestDaemon.write("abc", to: directory + "/a")
            #expect(!PathIdentity.isUnknown(Array((directory + "/a").utf8)))
            #expect(!PathIdentity.isUnknown(Array(directory.utf8)))
            #expect(!PathIdentity.isUnknown([]))
            #expect(PathIdentity.isUnknown(Array((directory + "/b").utf8)))
        }
    }

    @Test func anyBytesAreAPath() throws {
        try Self.withDirectory { directory in
            let path = Array(directory.utf8) + [0x2f, 0xff, 0x0a, 0x22]
            let text = path.map { CChar(bitPattern: $0) } + [0]
            let number = unsafe open(text, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
            close(number)
            #expect(PathIdentity.lookUp(path)?.size == 0)
            unsafe unlink(text)
        }
    }

    @Test func aFileThatChangedWithinAClockTickOfBeingReadIsNotSettled() {
        let identity = FileIdentity(
            device: 1, inode: 2, size: 3, modified: 0, changed: 1_000_000_007)
        let tick = Limits.timestampNanoseconds
        #expect(!identity.isSettled(at: 1_000_000_007))
        #expect(!identity.isSettled(at: 1_000_000_007 + tick))
        #expect(identity.isSettled(at: 1_000_000_008 + tick))
        // A clock that was set back, or another machine's.
        #expect(!identity.isSettled(at: 0))
    }

    @Test func whereStampsAreWholeSecondsOneIsNotSettledBeforeTheNextEvenOne() {
        let identity = FileIdentity(
            device: 1, inode: 2, size: 3, modified: 0, changed: 4_000_000_000)
        #expect(!identity.isSettled(at: 6_000_000_000))
        #expect(identity.isSettled(at: 6_000_000_001))
    }
}
