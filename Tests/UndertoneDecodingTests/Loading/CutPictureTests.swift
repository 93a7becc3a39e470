import Glibc
import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneDecoding

@Suite("A cut picture never gets a confident wrong answer")
struct CutPictureTests {
    private static let names = [
        "baseline.jpg", "restart.jpg", "progressive.jpg", "separate-first-scans.jpg",
        "sequential-scans.jpg", "arithmetic.jpg", "lossy.webp", "lossless.webp", "picture.gif",
        "interlaced.gif", "picture.avif", "picture.heic", "png", "interlaced png", "tiff", "bmp",
        "pnm", "plain pnm",
        "ico",
    ]

    private func ramp(_ x: Int, _ y: Int) -> [UInt8] {
        [UInt8(x * 255 / 127), UInt8(y * 255 / 95), 64]
    }

    /// The bytes of `ramp` in a format.
    private func picture(_ name: String) throws -> [UInt8] {
        let (width, height) = Fixture.rampSize
        switch name {
        case "png": return PNGWriter(width: width, height: height, pixel: ramp).bytes()
        case "interlaced png":
            return PNGWriter(width: width, height: height, pixel: ramp).interlacedBytes()
        case "tiff":
            let pixels = (0..<width * height).map { ramp($0 % width, $0 / width).map { Int($0) } }
            return TIFFWriter(width: width, height: height, pixels: pixels).bytes()
        case "bmp": return BMPWriter.rgb(width: width, height: height, pixel: ramp)
        case "pnm", "plain pnm":
            let samples = (0..<width * height).flatMap { ramp($0 % width, $0 / width) }
            if name == "pnm" { return Array("P6 \(width) \(height) 255\n".utf8) + samples }
            let text = samples.map { "\($0)" }.joined(separator: "\n")
            return Array("P3 \(width) \(height) 255\n\(text)".utf8)
        case "ico":
            let data = BMPWriter.iconPicture(width: width, height: height, bits: 24, pixel: ramp)
            return BMPWriter.icon([(width, height, data)])
        default: return try Fixture.bytes(name)
        }
    }

    @Test("Whole, it is complete and right", arguments: names)
    func whole(name: String) throws {
        let summary = try summary(picture(name))
        #expect(summary.image.complete)
        #expect(summary.image.width == 128 && summary.image.height == 96)
        #expect(isClose(summary.picture.simple, 127, 127, 64, within: 1.2))
    }

    @Test("Cut at 10, 50, 90 and 99 % and one byte short", arguments: names)
    func cut(name: String) throws {
        let bytes = try picture(name)
        for length in [10, 50, 90, 99].map({ bytes.count * $0 / 100 }) + [bytes.count - 1] {
            switch try report(Array(bytes.prefix(length))) {
            case .failure(let error):
                #expect(error.code == .decodeFailed)
            case .needsWideProfile:
                Issue.record("the wide profile was allowed")
            case .summary(let summary):
                let mean = summary.picture.simple
                if summary.image.complete {
                    // Only what follows the pixels is missing.
                    #expect(length == bytes.count - 1)
                    #expect(isClose(mean, 127, 127, 64, within: 1.2))
                }
                // Whole rows only: red and blue are right, and green is that of some rows. Filler,
                // gray or the last block over and over, would show.
                #expect(isClose(mean, 127, mean.y, 64, within: 2.5))
                // A row of which there is a part is not taken for one that is partly clear.
                #expect(summary.picture.opacity == 1)
                #expect(summary.image.width == 128 && summary.image.height == 96)
            }
        }
    }

    @Test(
        "What is left of a cut picture is used",
        arguments: [
            ("baseline.jpg", false), ("restart.jpg", false), ("lossy.webp", false), ("png", false),
            ("pnm", false), ("plain pnm", false), ("picture.gif", false), ("bmp", true),
        ])
    func half(name: String, isBottomUp: Bool) throws {
        let bytes = try picture(name)
        let summary = try summary(bytes.cut(0.6))
        #expect(!summary.image.complete)
        let green = summary.picture.simple.y
        #expect(isBottomUp ? green > 140 && green < 250 : green < 110 && green > 5)
    }

    @Test(
        "An end marker after half of a scan deceives nobody",
        arguments: [
            "baseline.jpg", "restart.jpg", "progressive.jpg", "gray.jpg",
        ])
    func falseEnd(name: String) throws {
        let bytes = try Fixture.bytes(name)
        let whole = try summary(bytes).picture.simple
        for part in [0.55, 0.7, 0.9] {
            let cut = bytes.cut(part)
            let marked = try summary(cut + [0xFF, 0xD9])
            #expect(!marked.image.complete)
            // The same rows as without the marker, or, of a progressive picture, all with less
            // detail.
            let plain = try summary(cut)
            #expect(isClose(marked.picture.simple, plain.picture.simple))
            if name == "progressive.jpg" {
                #expect(isClose(marked.picture.simple, whole, within: 1.5))
            }
            let zeros = try summary(cut + [UInt8](repeating: 0, count: 5000))
            #expect(isClose(zeros.picture.simple, plain.picture.simple))
            #expect(!zeros.image.complete)
        }
    }

    @Test("Exactly the rows of blocks that are there")
    func exactRows() throws {
        let bytes = try Fixture.bytes("restart.jpg")
        // The file restarts after each row of 16 pixels: six rows, five markers.
        let outline = JPEGScanner.outline(bytes.span, fileLength: bytes.count)
        let scan = try #require(outline.scans).scans[0].range
        let restarts = scan.filter { bytes[$0] == 0xFF && (0xD0...0xD7).contains(bytes[$0 + 1]) }
        #expect(restarts.count == 5)
        for (index, restart) in restarts.enumerated().dropFirst() {
            let summary = try summary(Array(bytes[..<(restart + 6)]) + [0xFF, 0xD9])
            #expect(!summary.image.complete)
            // Colors are smoothed over the border of rows, so that the last two wait for the next.
            let rows = 16 * (index + 1) - 2
            #expect(abs(summary.picture.simple.y - Fixture.green(firstRows: rows)) < 0.6)
        }
    }

    @Test("A WebP whose lengths were mended after it was cut is incomplete")
    func mendedWebP() throws {
        for (name, part) in [("lossy.webp", 0.6), ("lossless.webp", 0.7)] {
            var bytes = try Fixture.bytes(name).cut(part)
            bytes.replaceSubrange(4..<8, with: [UInt8].little(bytes.count - 8, 4))
            bytes.replaceSubrange(16..<20, with: [UInt8].little(bytes.count - 20, 4))
            let summary = try summary(bytes)
            #expect(!summary.image.complete)
            #expect(abs(summary.picture.simple.x - 127) < 2.5)
        }
    }

    @Test("A GIF whose blocks end before its pixels is incomplete")
    func shortGIF() throws {
        var writer = GIFWriter(
            width: 20, height: 20, palette: [[200, 100, 50]],
            frames: [.init(width: 20, height: 20, indices: [UInt8](repeating: 0, count: 200))])
        let summary = try summary(writer.bytes())
        #expect(!summary.image.complete)
        #expect(isClose(summary.picture.simple, 200, 100, 50, within: 0.01))
        writer.frames[0].indices += writer.frames[0].indices
        #expect(try self.summaryOf(writer).image.complete)
    }

    private func summaryOf(_ writer: GIFWriter) throws -> ImageSummary {
        try summary(writer.bytes())
    }

    @Test(
        "In pieces, as files above the limit are read, it is the same",
        arguments: [
            "baseline.jpg", "restart.jpg", "lossy.webp", "lossless.webp", "png", "bmp", "pnm",
            "plain pnm", "tiff", "picture.avif", "progressive.jpg", "separate-first-scans.jpg",
            "sequential-scans.jpg", "picture.gif", "interlaced png",
        ])
    func pieces(name: String) throws {
        let bytes = try picture(name)
        let whole = try summary(bytes)
        // The first piece ends in the headers, or in the pixels' data.
        for number in [2, 3, 7, 100] {
            let pieces = try #require(try summaryInPieces(bytes, number))
            #expect(pieces.image == whole.image)
            #expect(areSame(pieces.areas, whole.areas))
            // Bytes behind the picture are none of it, but where it is text.
            let tail = name == "plain pnm" ? Array(" 1 2".utf8) : [1, 2, 3]
            let longer = try #require(try summaryInPieces(bytes + tail, number))
            #expect(areSame(longer.areas, whole.areas))
            #expect(longer.image.complete)
            for part in [0.5, 0.9, 1 - 1 / Double(bytes.count)] {
                guard let cut = try summaryInPieces(bytes.cut(part), number) else { continue }
                // The last byte is none of these pictures', or half of a number.
                let mayLack = ["plain pnm", "picture.gif", "tiff"].contains(name) && part > 0.9
                #expect(!cut.image.complete || mayLack)
                #expect(isClose(cut.picture.simple, 127, cut.picture.simple.y, 64, within: 2.5))
            }
        }
    }

    private func summaryInPieces(_ bytes: [UInt8], _ number: Int) throws -> ImageSummary? {
        let descriptor = try anonymousFile(bytes)
        defer { close(descriptor) }
        let identity = try FileIdentity.of(descriptor: descriptor)
        var decoding = PictureDecoding(
            descriptor: descriptor, job: DecodeJob(path: []), identity: identity,
            wholeFileBytes: 64, pieceBytes: max(320, bytes.count / number))
        do {
            if case .summary(let summary) = try decoding.run(allowWide: false) { return summary }
        } catch {
            #expect(error.code == .decodeFailed)
        }
        return nil
    }

    @Test("Behind the last box there may be anything", arguments: ["picture.avif", "picture.heic"])
    func boxTails(name: String) throws {
        let bytes = try Fixture.bytes(name)
        let whole = try summary(bytes)
        var tails = (1...9).map { [UInt8](repeating: 0, count: $0) }
        for text in ["\n", "appended by some other program\n", "\0\0\0\u{3}free", "~~~~skip"] {
            tails.append(Array(text.utf8))
        }
        for tail in tails {
            let longer = try summary(bytes + tail)
            #expect(longer.image.complete)
            #expect(areSame(longer.areas, whole.areas))
        }
    }

    @Test("An icon is judged by its best picture alone")
    func icon() throws {
        let small = BMPWriter.iconPicture(width: 4, height: 4, bits: 24) { _, _ in [1, 2, 3] }
        let large = BMPWriter.iconPicture(width: 8, height: 8, bits: 24) { _, _ in [200, 100, 50] }
        let bytes = BMPWriter.icon([(8, 8, large), (4, 4, small)])
        let summary = try summary(Array(bytes.dropLast(20)))
        #expect(summary.image.complete)
        #expect(isClose(summary.picture.simple, 200, 100, 50, within: 0.01))
        let reversed = BMPWriter.icon([(4, 4, small), (8, 8, large)])
        #expect(try failure(Array(reversed.dropLast(1))) == .decodeFailed)
        // Of two of one size the deeper one, even where it is cut before it says how deep it is.
        let deep = BMPWriter.iconPicture(width: 8, height: 8, bits: 32) { _, _ in [9, 9, 9, 255] }
        let pair = BMPWriter.icon([(8, 8, large), (8, 8, deep)])
        #expect(try failure(Array(pair.dropLast(deep.count - 10))) == .decodeFailed)
    }
}
