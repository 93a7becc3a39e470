import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneDecoding

@Suite("PNG pictures decode to right averages")
struct PNGDecodingTests {
    @Test("Alpha weighs: half-transparent red beside opaque blue")
    func alphaWeighs() throws {
        let picture = PNGWriter(width: 16, height: 16, colorType: .rgba) { x, _ in
            x < 8 ? [255, 0, 0, 128] : [0, 0, 255, 255]
        }
        for sampling in [Sampling.auto, .exact] {
            let summary = try summary(picture.bytes(), sampling: sampling)
            #expect(isClose(summary.picture.simple, 255.0 * 128 / 383, 0, 255.0 * 255 / 383))
            #expect(abs(summary.picture.opacity - 383.0 / 510) < 0.001)
            #expect(summary.image.complete)
            #expect(summary.image.format == .png)
            #expect(summary.image.profile == .none)
            #expect(summary.image.orientation == 1)
            #expect(summary.identityBefore == summary.identityAfter)
        }
    }

    @Test("A palette's entries have the alpha of tRNS")
    func paletteTransparency() throws {
        var picture = PNGWriter(
            width: 3, height: 1, colorType: .palette, bitDepth: 8, rows: [[0, 1, 2]])
        picture.chunks = [
            ("PLTE", [200, 30, 80, 100, 30, 200, 0, 255, 0]), ("tRNS", [255, 128, 0]),
        ]
        let summary = try summary(picture.bytes())
        let red = (200.0 * 255 + 100 * 128) / 383
        let blue = (80.0 * 255 + 200 * 128) / 383
        #expect(isClose(summary.picture.simple, red, 30, blue))
        #expect(abs(summary.picture.opacity - 383.0 / 765) < 0.001)
    }

    @Test("Samples of one, two and sixteen bits, of gray, with alpha and a transparent color")
    func sampleDepths() throws {
        let bit = PNGWriter(
            width: 8, height: 1, colorType: .gray, bitDepth: 1, rows: [[0b1010_1010]])
        #expect(isClose(try summary(bit.bytes()).picture.simple, 127.5, 127.5, 127.5))
        let two = PNGWriter(
            width: 4, height: 1, colorType: .gray, bitDepth: 2, rows: [[0b0001_1011]])
        #expect(isClose(try summary(two.bytes()).picture.simple, 127.5, 127.5, 127.5))
        let deep = PNGWriter(
            width: 2, height: 1, colorType: .grayAlpha, bitDepth: 16,
            rows: [[200, 200, 128, 128, 0, 0, 255, 255]])
        let summary = try summary(deep.bytes())
        let gray = 200.0 * 128 / 383
        #expect(isClose(summary.picture.simple, gray, gray, gray))
        #expect(abs(summary.picture.opacity - 383.0 / 510) < 0.001)
        var keyed = PNGWriter(width: 2, height: 1) { x, _ in x == 0 ? [1, 2, 3] : [100, 110, 120] }
        keyed.chunks = [("tRNS", [0, 1, 0, 2, 0, 3])]
        let rest = try self.summaryOf(keyed)
        #expect(isClose(rest.picture.simple, 100, 110, 120, within: 0.01))
        #expect(rest.picture.opacity == 0.5)
    }

    private func summaryOf(_ writer: PNGWriter) throws -> ImageSummary {
        try summary(writer.bytes())
    }

    @Test("Wholly transparent pictures have no average", arguments: [Sampling.auto, .exact])
    func transparent(sampling: Sampling) throws {
        let picture = PNGWriter(width: 5, height: 3, colorType: .rgba) { _, _ in [9, 8, 7, 0] }
        let summary = try summary(picture.bytes(), sampling: sampling, regions: [.picture])
        #expect(summary.picture == AreaSummary())
        #expect(summary.regions == [AreaSummary()])
        #expect(summary.clusters.isEmpty)
    }

    @Test("A region equals the crop")
    func regionIsCrop() throws {
        func color(_ x: Int, _ y: Int) -> [UInt8] {
            [UInt8(x * 13 % 256), UInt8(y * 29 % 256), UInt8(x * y % 256)]
        }
        let whole = PNGWriter(width: 40, height: 20, pixel: color)
        let crop = PNGWriter(width: 10, height: 5) { x, y in color(x + 20, y + 10) }
        let region = RegionRectangle(x: 0.5, y: 0.5, width: 0.25, height: 0.25)
        for sampling in [Sampling.auto, .exact] {
            let part = try summary(whole.bytes(), sampling: sampling, regions: [region])
            let same = try summary(crop.bytes(), sampling: sampling)
            #expect(areSame(part.regions, [same.picture]))
        }
    }

    @Test(
        "Regions come in the order asked for, the smallest ones too",
        arguments: [Sampling.auto, .exact])
    func regionOrder(sampling: Sampling) throws {
        let picture = PNGWriter(width: 40, height: 24) { x, y in
            Quarters.color(x, y, width: 40, height: 24)
        }
        let regions = [
            RegionRectangle(x: 0, y: 0, width: 0.5, height: 0.5),
            RegionRectangle(x: 0.5, y: 0, width: 0.5, height: 0.5),
            RegionRectangle(x: 0, y: 0.5, width: 0.5, height: 0.5),
            RegionRectangle(x: 0.9, y: 0.9, width: 1e-6, height: 1e-6),
        ]
        let summary = try summary(picture.bytes(), sampling: sampling, regions: regions)
        #expect(isClose(summary.regions[0].simple, 240, 200, 20, within: 0.01))
        #expect(isClose(summary.regions[1].simple, 210, 40, 40, within: 0.01))
        #expect(isClose(summary.regions[2].simple, 40, 40, 210, within: 0.01))
        #expect(isClose(summary.regions[3].simple, 30, 160, 60, within: 0.01))
    }

    @Test("An interlaced picture needs all of its passes, however well its data end")
    func missingPasses() throws {
        let picture = PNGWriter(width: 65, height: 33, colorType: .rgba) { x, y in
            [UInt8(x * 3), UInt8(y * 7), 64, 255]
        }
        #expect(try summary(picture.interlacedBytes()).image.complete)
        for left in [1, 100, 4000] {
            let part = try summary(picture.interlacedBytes(withoutLast: left))
            #expect(!part.image.complete)
            #expect(isClose(part.picture.simple, 96, 112, 64, within: 4))
        }
    }

    @Test("An interlaced picture that is cut is known as far as its passes go")
    func interlaced() throws {
        let picture = PNGWriter(width: 64, height: 64) { x, y in [UInt8(x * 4), UInt8(y * 4), 64] }
        let bytes = picture.interlacedBytes()
        let whole = try summary(bytes)
        #expect(whole.image.complete)
        #expect(isClose(whole.picture.simple, 126, 126, 64, within: 0.01))
        // All of the first three passes, and half of the rest: a little coarse, but of everything.
        let part = try summary(bytes.cut(0.5))
        #expect(!part.image.complete)
        #expect(isClose(part.picture.simple, 126, 126, 64, within: 4))
        // A little of the first pass: only its rows.
        let beginning = try summary(bytes.cut(0.012))
        #expect(!beginning.image.complete)
        #expect(beginning.picture.simple.y < 100)
        #expect(abs(beginning.picture.simple.z - 64) < 0.01)
    }

    @Test("Data that end early, though IEND is there, make it incomplete")
    func earlyEnd() throws {
        let picture = PNGWriter(width: 16, height: 16) { _, y in
            y < 8 ? [10, 20, 30] : [200, 0, 0]
        }
        var short = picture
        short.rows = Array(picture.rows.prefix(8))
        let summary = try summary(short.bytes())
        #expect(!summary.image.complete)
        #expect(isClose(summary.picture.simple, 10, 20, 30, within: 0.01))
    }

    @Test("Damage in the middle leaves what came before, or nothing")
    func damaged() throws {
        let picture = PNGWriter(width: 64, height: 64) { _, y in
            y < 40 ? [10, 20, 30] : [200, 0, 0]
        }
        var bytes = picture.bytes()
        let data = try #require(bytes.offset(of: "IDAT")) + 4
        // The data's checksum is wrong, which shows behind the last row.
        bytes[data + 7] ^= 1
        let late = try summary(bytes)
        #expect(!late.image.complete)
        // The stream itself is no stream.
        bytes[data] = 0
        #expect(try failure(bytes) == .decodeFailed)
    }
}
