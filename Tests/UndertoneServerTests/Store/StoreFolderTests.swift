import Glibc
import Testing

@testable import UndertoneServer

@Suite struct StoreFolderTests {
    private static func path(cacheHome: String?, home: String?) -> String? {
        let folder = StoreFolder(
            cacheHome: cacheHome.map { Array($0.utf8) }, home: home.map { Array($0.utf8) })
        return folder.map { String(decoding: $0.path, as: UTF8.self) }
    }

    @Test func thePlaceIsTheSpecificationS() {
        #expect(Self.path(cacheHome: "/c", home: "/h") == "/c/undertone")
        #expect(Self.path(cacheHome: nil, home: "/h") == "/h/.cache/undertone")
        // "All paths set in these environment variables must be absolute": others are ignored.
        #expect(Self.path(cacheHome: "c", home: "/h") == "/h/.cache/undertone")
        #expect(Self.path(cacheHome: "c", home: "h") == nil)
        #expect(Self.path(cacheHome: nil, home: nil) == nil)
    }

    @Test func pathsStayBytes() throws {
        let folder = try #require(StoreFolder(cacheHome: [0x2f, 0xff], home: nil))
        #expect(folder.path == [0x2f, 0xff] + Array("/undertone".utf8))
    }

    @Test func directoriesThatAreMissingAreMade() throws {
        let fixture = try StoreFixture()
        let folder = StoreFolder(path: Array((fixture.directory + "/undertone").utf8))
        try folder.prepare { () throws(StoreFault) in }
        var status = stat()
        #expect(unsafe lstat(fixture.directory + "/undertone", &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o700)
        #expect(unsafe lstat(fixture.file, &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o600)
        #expect(status.st_mode & S_IFMT == S_IFREG)
        #expect(folder.bytes == 0)
    }

    @Test func aLinkInTheDirectorySPlaceIsNotFollowed() throws {
        let fixture = try StoreFixture()
        let target = fixture.directory + "/target"
        unsafe mkdir(target, 0o755)
        unsafe symlink(target, fixture.directory + "/undertone")
        do throws(StoreFault) {
            try fixture.folder.prepare { () throws(StoreFault) in }
            Issue.record("a link was followed")
        } catch {
            #expect(error.kind == .unusable)
        }
        #expect(TestDaemon.entries(target).isEmpty)
        unsafe unlink(fixture.directory + "/undertone")
        unsafe rmdir(target)
    }
}
