import Testing
import UndertoneColor

@testable import UndertoneDecoding

@Suite("A picture's first bytes say what its decoding says")
struct PictureHeaderTests {
    private func header(_ bytes: [UInt8], fileLength: Int? = nil) throws -> PictureHeader? {
        let sniffed = ImageFormat.sniff(bytes.span)
        let format = try #require(sniffed)
        return PictureHeader(format, bytes.span, fileLength: fileLength ?? bytes.count)
    }

    @Test(
        "Size and orientation are those of the decoded picture",
        arguments: [
            "baseline.jpg", "progressive.jpg", "arithmetic.jpg", "gray.jpg", "cmyk.jpg",
            "quarter.jpg", "restart.jpg", "eighth-progressive.jpg", "lossy.webp", "lossless.webp",
            "alpha.webp", "animation.webp", "picture.gif", "interlaced.gif", "animation.gif",
        ])
    func fixtures(name: String) throws {
        let bytes = try Fixture.bytes(name)
        let image = try summary(bytes).image
        for length in [bytes.count, min(bytes.count, 64 << 10)] {
            let header = try #require(
                try header(Array(bytes.prefix(length)), fileLength: bytes.count))
            let size = try #require(header.size)
            #expect(header.displayed(size) == PixelSize(width: image.width, height: image.height))
            #expect(header.orientation == image.orientation)
        }
    }

    @Test("Only their loaders know the size of these", arguments: ["picture.avif", "picture.heic"])
    func loadersAlone(name: String) throws {
        let header = try #require(try header(try Fixture.bytes(name)))
        #expect(header.size == nil)
        #expect(header.orientation == 1)
    }

    @Test("A PNG that is turned, and a WebP that may be, has no thumbnail that is")
    func turned() throws {
        var writer = PNGWriter(width: 3, height: 2) { _, _ in [1, 2, 3] }
        let upright = try #require(try header(writer.bytes()))
        #expect(upright.size == PixelSize(width: 3, height: 2))
        for orientation in UInt8(1)...8 {
            let exif: [UInt8] =
                [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1]
                + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
            writer.chunks = [("eXIf", exif)]
            #expect(try (header(writer.bytes()) != nil) == (orientation == 1))
        }
        var webp = try Fixture.bytes("animation.webp")
        try #require(webp[12..<16] == Array("VP8X".utf8)[...])
        webp[20] |= 0x08
        #expect(try header(webp) == nil)
    }

    @Test("A header that is not there yet, or has no size, says nothing")
    func nothing() throws {
        let bytes = try Fixture.bytes("baseline.jpg")
        #expect(try header(Array(bytes.prefix(20)), fileLength: bytes.count) == nil)
        let empty = PNGWriter(width: 0, height: 5) { _, _ in [] }
        #expect(try header(empty.bytes()) == nil)
    }
}
