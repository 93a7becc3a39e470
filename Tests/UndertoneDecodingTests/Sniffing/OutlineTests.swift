import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneDecoding

@Suite("Outlines tell sizes and ends from the bytes alone")
struct OutlineTests {
    private func outline(
        _ format: ImageFormat, _ bytes: [UInt8], fileLength: Int? = nil
    ) throws -> PictureOutline {
        try PictureOutline.read(format, bytes.span, fileLength: fileLength ?? bytes.count)
    }

    @Test(
        "A whole fixture has its end, and one byte less has not",
        arguments: [
            ("baseline.jpg", ImageFormat.jpeg), ("progressive.jpg", .jpeg), ("lossy.webp", .webp),
            ("lossless.webp", .webp), ("picture.avif", .avif), ("picture.heic", .heic),
        ])
    func fixtures(name: String, format: ImageFormat) throws {
        let bytes = try Fixture.bytes(name)
        let whole = try outline(format, bytes)
        #expect(whole.end == .seen)
        if format != .avif && format != .heic {
            #expect(whole.size == PixelSize(width: 128, height: 96))
        }
        #expect(try outline(format, Array(bytes.dropLast())).end == .missing)
    }

    @Test(
        "No prefix and no damaged byte of any picture stops the scanners",
        arguments: [
            "baseline.jpg", "separate-first-scans.jpg", "lossy.webp", "animation.webp",
            "picture.gif",
            "animation.gif", "display-p3.avif", "sequence.avif", "display-p3.heic", "png", "tiff",
            "bigtiff", "bmp", "ico", "pnm",
        ])
    func hostile(name: String) throws {
        let bytes = try hostileSeed(name)
        let sniffed = ImageFormat.sniff(bytes.span)
        let format = try #require(sniffed)
        for length in stride(from: 0, through: bytes.count, by: max(1, bytes.count / 300)) {
            _ = try? outline(format, Array(bytes.prefix(length)))
            _ = try? outline(format, Array(bytes.prefix(length)), fileLength: bytes.count)
        }
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        for _ in 0..<400 {
            var damaged = bytes
            for _ in 0..<4 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let place = Int(state >> 33) % min(damaged.count, 400)
                damaged[place] = state & 1 == 0 ? UInt8(state >> 24 & 255) : 0xFF
            }
            _ = try? outline(format, damaged)
        }
    }

    private func hostileSeed(_ name: String) throws -> [UInt8] {
        let pixel: (Int, Int) -> [UInt8] = { x, y in [UInt8(x), UInt8(y), 3] }
        var tiff = TIFFWriter(
            width: 4, height: 4, pixels: (0..<16).map { [$0, 2, 3, 4] })
        tiff.extraSample = 2
        tiff.orientation = 6
        switch name {
        case "png":
            var writer = PNGWriter(width: 4, height: 4, pixel: pixel)
            writer.chunks = [("eXIf", Quarters.exif(6))]
            return writer.bytes()
        case "tiff": return tiff.bytes()
        case "bigtiff":
            tiff.isBig = true
            return tiff.bytes()
        case "bmp": return BMPWriter.rgb(width: 4, height: 4, pixel: pixel)
        case "ico":
            let entry = BMPWriter.iconPicture(width: 4, height: 4, bits: 24, pixel: pixel)
            return BMPWriter.icon([(4, 4, entry), (4, 4, entry)])
        case "pnm": return Array("P6 # a\n4 4\n255\n".utf8) + [UInt8](repeating: 9, count: 48)
        default: return try Fixture.bytes(name)
        }
    }

    @Test("A PNG is read to IEND, and what follows is left")
    func png() throws {
        var writer = PNGWriter(width: 300, height: 2) { _, _ in [1, 2, 3] }
        writer.chunks = [("eXIf", Quarters.exif(8))]
        let bytes = writer.bytes()
        let outline = try outline(.png, bytes + [1, 2, 3])
        #expect(outline.end == .seen)
        #expect(outline.pieces == [.file(0..<bytes.count)])
        #expect(outline.size == PixelSize(width: 300, height: 2))
        #expect(outline.orientation == 8)
    }

    @Test("A GIF is read to the end of its first frame")
    func gif() throws {
        let frame = GIFWriter.Frame(
            width: 20, height: 20, indices: [UInt8](repeating: 1, count: 400))
        let one = GIFWriter(
            width: 20, height: 20, palette: [[0, 0, 0], [9, 9, 9]], frames: [frame])
        var many = one
        many.frames = [frame, frame, frame]
        let length = one.bytes().count - 1
        let outline = try outline(.gif, many.bytes())
        #expect(outline.end == .seen)
        #expect(outline.pieces == [.file(0..<length)])
        #expect(try self.outline(.gif, Array(many.bytes().prefix(length))).end == .seen)
        #expect(try self.outline(.gif, Array(many.bytes().prefix(length - 1))).end == .missing)
    }

    @Test("A GIF's blocks may end before its pixels do")
    func gifWithoutAllPixels() throws {
        for count in [0, 1, 399, 400] {
            let indices = [UInt8](repeating: 1, count: count)
            for mark in [true, false] {
                let data = GIFWriter.codes(indices, endsWithMark: mark)
                let bytes: [UInt8] = [8] + GIFWriter.blocks(data)
                var counter = LZWPixelCounter(bytes.span, at: 0)
                // Without the mark, what fills the last byte could be the beginning of a code.
                let reaches = counter.reaches(400, in: bytes.span)
                #expect(reaches == (count == 400))
            }
        }
    }

    @Test("A table of growing codes counts as the encoder meant it")
    func growingCodes() throws {
        let outline = try outline(.gif, Fixture.bytes("picture.gif"))
        #expect(outline.end == .seen)
        #expect(outline.size == PixelSize(width: 128, height: 96))
    }

    @Test("Bitmaps end where their rows do, or their runs' end mark")
    func bmp() throws {
        let bytes = BMPWriter.rgb(width: 5, height: 3, isTopDown: true) { _, _ in [1, 2, 3] }
        #expect(try outline(.bmp, bytes).size == PixelSize(width: 5, height: 3))
        #expect(try outline(.bmp, bytes).end == .seen)
        #expect(try outline(.bmp, Array(bytes.dropLast())).end == .missing)
        for (runs, end): ([UInt8], DataEnd) in [
            ([4, 0, 0, 0, 4, 1, 0, 1], .seen), ([4, 0, 0, 0, 4, 1], .missing),
            ([0, 3, 0, 1, 0, 9, 0, 1], .seen), ([0, 2, 0, 1, 0, 1], .seen),
            ([0, 2, 0, 1], .missing),
        ] {
            let bytes = BMPWriter.bytes(
                width: 4, height: 2, bits: 8, compression: 1, palette: [[0, 0, 0], [1, 1, 1]],
                data: runs)
            #expect(try outline(.bmp, bytes).end == end)
        }
    }

    @Test("Netpbm headers, with comments, of all kinds")
    func pnm() throws {
        func read(_ header: String, data: Int) throws -> PictureOutline {
            try outline(.pnm, Array(header.utf8) + [UInt8](repeating: 1, count: data))
        }
        let size = PixelSize(width: 9, height: 2)
        for (header, data) in [
            ("P4 9 2\n", 4), ("P5 9 2 255\n", 18), ("P5 9 2 256\n", 36),
            ("P6\n# x\n9\n2 #y\n255\n", 54),
            ("P6 9 2 65535 ", 108),
        ] {
            let whole = try read(header, data: data + 7)
            #expect(whole.size == size)
            #expect(whole.end == .seen)
            #expect(whole.pieces == [.file(0..<header.utf8.count + data)])
            #expect(try read(header, data: data - 1).end == .missing)
        }
        #expect(try read("P3 9 2 255\n", data: 10).end == .unknown)
        #expect(try read("P6 9", data: 0).end == .missing)
        #expect(try read("P6 99999999999 2 255\n", data: 0).size == nil)
        #expect(try read("P6 999999999 999999999 255\n", data: 0).end == .missing)
    }

    @Test("A TIFF's strips must lie in the file")
    func tiff() throws {
        var writer = TIFFWriter(width: 3, height: 2, pixels: (0..<6).map { _ in [1, 2, 3] })
        for isBig in [false, true] {
            for isLittleEndian in [false, true] {
                writer.isBig = isBig
                writer.isLittleEndian = isLittleEndian
                let outline = try outline(.tiff, writer.bytes())
                #expect(outline.size == PixelSize(width: 3, height: 2))
                #expect(outline.end == .seen)
                #expect(outline.alpha == .straight)
                #expect(try self.outline(.tiff, Array(writer.bytes().prefix(20))).end == .missing)
            }
        }
    }

    @Test("Numbers of eight bytes may be as large as they like")
    func hugeNumbers() throws {
        var writer = TIFFWriter(width: 3, height: 2, pixels: (0..<6).map { _ in [1, 2, 3] })
        writer.isBig = true
        let bytes = writer.bytes()
        // Every number of the header and the directory in turn, and a box's long length.
        for place in stride(from: 8, to: bytes.count - 8, by: 2) {
            for value in [Int.max, Int.max - 7, Int.max / 2] {
                var damaged = bytes
                damaged.replaceSubrange(place..<place + 8, with: [UInt8].little(value, 8))
                _ = try? outline(.tiff, damaged)
            }
        }
        var box = try Fixture.bytes("display-p3.avif")
        for place in stride(from: 0, to: box.count - 16, by: 4) {
            let old = box[place..<place + 16]
            box.replaceSubrange(place..<place + 4, with: [0, 0, 0, 1])
            box.replaceSubrange(place + 8..<place + 16, with: [UInt8].big(.max, 8))
            _ = try? outline(.avif, box)
            box.replaceSubrange(place..<place + 16, with: old)
        }
    }

    @Test("Memory for an AVIF is asked for by the largest size that it tells")
    func expectedPixels() throws {
        func memory(_ bytes: [UInt8]) throws -> Int {
            DecodingPlan(format: .avif, sampling: .auto).memory(for: try outline(.avif, bytes))
        }
        var bytes = try Fixture.bytes("picture.avif")
        let pixels = try summary(bytes).image
        #expect(try memory(bytes) == 7 * pixels.width * pixels.height)
        let place = try #require(bytes.offset(of: "ispe")) + 8
        bytes.replaceSubrange(place..<place + 8, with: [UInt8].big(4000, 4) + [UInt8].big(3000, 4))
        #expect(try memory(bytes) == 7 * 12_000_000)
        // Whatever a file says, no more than a picture may have.
        bytes.replaceSubrange(place..<place + 8, with: [UInt8](repeating: 127, count: 8))
        #expect(try memory(bytes) == 7 * Limits.pixels)
        bytes.replaceSubrange(place..<place + 8, with: [UInt8](repeating: 255, count: 8))
        #expect(try memory(bytes) == 0)
    }
}
