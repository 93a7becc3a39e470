import Testing
import UndertoneColor

@testable import UndertoneDecoding

@Suite("A thumbnail's keys are its chunks of text")
struct ThumbnailKeysTests {
    private func keys(_ chunks: [(type: String, data: [UInt8])]) -> ThumbnailKeys {
        var writer = PNGWriter(width: 1, height: 1) { _, _ in [1, 2, 3] }
        writer.chunks = chunks
        return ThumbnailKeys(writer.bytes().span)
    }

    private func text(_ key: String, _ value: String) -> (type: String, data: [UInt8]) {
        ("tEXt", Array(key.utf8) + [0] + Array(value.utf8))
    }

    @Test("All that count are read")
    func all() {
        let keys = keys([
            text("Thumb::URI", "file:///a"), text("Thumb::MTime", "17"), text("Software", "x"),
            text("Thumb::Size", "9"), text("Thumb::Image::Width", "40"),
            text("Thumb::Image::Height", "30"),
        ])
        #expect(keys.uri == Array("file:///a".utf8))
        #expect(keys.modifiedSeconds == Array("17".utf8))
        #expect(keys.size == Array("9".utf8))
        #expect(keys.pictureSize == PixelSize(width: 40, height: 30))
    }

    @Test("What is compressed is read, too")
    func compressed() {
        let value = Array(String(repeating: "file:///long/", count: 20).utf8)
        let stream = PNGWriter.zlibStored(value)
        #expect(keys([("zTXt", Array("Thumb::URI".utf8) + [0, 0] + stream)]).uri == value)
        // There is one method of compression.
        #expect(keys([("zTXt", Array("Thumb::URI".utf8) + [0, 1] + stream)]).uri == nil)
    }

    @Test(
        "Of a time the whole seconds count",
        arguments: [
            ("17.043717", "17"), ("17.", "17"), ("17", "17"), ("-2", "-2"), ("17.x", nil),
            ("17.0.0", nil),
        ])
    func seconds(value: String, seconds: String?) {
        let keys = keys([text("Thumb::MTime", value)])
        #expect(keys.modifiedSeconds == seconds.map { Array($0.utf8) })
    }

    @Test("Of several the first counts")
    func several() {
        #expect(keys([text("Thumb::URI", "a"), text("Thumb::URI", "b")]).uri == [0x61])
    }

    @Test("Names are whole, and values not endless")
    func others() {
        #expect(keys([text("Thumb::URIs", "a"), text("xThumb::URI", "a")]).uri == nil)
        #expect(keys([("tEXt", Array("Thumb::URI".utf8))]).uri == nil)
        let long = String(repeating: "a", count: 20_000)
        #expect(keys([text("Thumb::URI", long)]).uri == nil)
    }

    @Test("Sizes are whole numbers", arguments: ["", "-1", "1.5", "0x10", "12345678901", " 1"])
    func numbers(value: String) {
        let keys = keys([
            text("Thumb::Image::Width", value), text("Thumb::Image::Height", "1"),
        ])
        #expect(keys.pictureSize == nil)
    }

    @Test("No cut file is read beyond its end")
    func cuts() {
        var writer = PNGWriter(width: 1, height: 1) { _, _ in [1, 2, 3] }
        writer.chunks = [text("Thumb::URI", "file:///a")]
        let bytes = writer.bytes()
        for length in 0..<bytes.count {
            let keys = ThumbnailKeys(Array(bytes.prefix(length)).span)
            // The signature, IHDR, and the chunk with its length, type, name and checksum.
            #expect((keys.uri != nil) == (length >= 8 + 25 + 12 + 11 + 9))
        }
    }
}
