import Glibc
import Testing

@testable import UndertoneClient

@Suite struct PathBytesTests {
    @Test func leavesAbsoluteAndEmptyNamesAlone() throws {
        #expect(try PathBytes.absolute(Array("/a/../b//c".utf8)) == Array("/a/../b//c".utf8))
        #expect(try PathBytes.absolute([]).isEmpty)
    }

    @Test func putsTheCurrentDirectoryBeforeTheOthers() throws {
        var buffer = [CChar](repeating: 0, count: 4096)
        try #require(unsafe getcwd(&buffer, buffer.count) != nil)
        let here = String(
            decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let absolute = try PathBytes.absolute([0x2E, 0x2E, 0x2F, 0xFF])
        #expect(absolute == Array((here + "/../").utf8) + [0xFF])
    }

    @Test func encodesInBase64() {
        // RFC 4648, section 10.
        for (text, base64) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foobar", "Zm9vYmFy")] {
            #expect(PathBytes.base64(Array(text.utf8)) == base64)
        }
    }
}
