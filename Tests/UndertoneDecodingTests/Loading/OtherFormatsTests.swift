import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneDecoding

@Suite("Bitmaps, icons, Netpbm, GIF and WebP decode to right averages")
struct OtherFormatsTests {
    private let half: (Int, Int) -> [UInt8] = { x, _ in
        x < 8 ? [255, 0, 0, 128] : [0, 0, 255, 255]
    }
    private let halfMean = (255.0 * 128 / 383, 255.0 * 255 / 383)

    @Test("Bitmaps of 32 bits, with alpha in the header or without")
    func deepBitmaps() throws {
        let data = (0..<16).flatMap { y in
            (0..<16).flatMap { x in
                let color = half(x, y)
                return [color[2], color[1], color[0], color[3]]
            }
        }
        let masks = [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000]
        for height in [16, -16] {
            let alpha = BMPWriter.bytes(
                width: 16, height: height, bits: 32, compression: 3, masks: masks, data: data)
            let area = try summary(alpha).picture
            #expect(isClose(area.simple, halfMean.0, 0, halfMean.1))
            #expect(abs(area.opacity - 383.0 / 510) < 0.001)
        }
        let plain = BMPWriter.bytes(width: 16, height: 16, bits: 32, data: data)
        #expect(isClose(try summary(plain).picture.simple, 127.5, 0, 127.5))
        #expect(try summary(plain).picture.opacity == 1)
    }

    @Test("Run-length-coded bitmaps")
    func runs() throws {
        let row: [UInt8] = [8, 0, 8, 1, 0, 0]
        var data = [UInt8]()
        for _ in 0..<16 { data += row }
        data += [0, 1]
        let bytes = BMPWriter.bytes(
            width: 16, height: 16, bits: 8, compression: 1,
            palette: [[255, 0, 0], [0, 0, 255]], data: data)
        let whole = try summary(bytes)
        #expect(whole.image.complete)
        #expect(isClose(whole.picture.simple, 127.5, 0, 127.5, within: 0.01))
        let cut = try summary(Array(bytes.dropLast(40)))
        #expect(!cut.image.complete)
        #expect(isClose(cut.picture.simple, 127.5, 0, 127.5, within: 0.01))
        #expect(cut.picture.opacity == 1)
    }

    @Test("An icon's largest picture counts, then its deepest, and its mask")
    func icons() throws {
        func entry(_ side: Int, _ bits: Int, _ color: [UInt8]) -> (Int, Int, [UInt8]) {
            let data = BMPWriter.iconPicture(width: side, height: side, bits: bits) { _, _ in color
            }
            return (side, side, data)
        }
        let right: [UInt8] = [200, 100, 50, 255]
        let wrong: [UInt8] = [1, 2, 3, 255]
        for icon in [
            [entry(16, 32, wrong), entry(48, 32, right), entry(32, 24, wrong)],
            [entry(48, 24, right), entry(16, 32, wrong)],
            [entry(32, 24, wrong), entry(32, 32, right)],
            [entry(32, 32, right), entry(32, 24, wrong)],
        ] {
            for kind in 1...2 {
                let area = try summary(BMPWriter.icon(icon, kind: kind)).picture
                #expect(isClose(area.simple, 200, 100, 50, within: 0.01))
                #expect(area.opacity == 1)
            }
        }
        let masked = BMPWriter.iconPicture(
            width: 16, height: 16, bits: 24, mask: { x, _ in x < 4 },
            pixel: { x, _ in
                x < 4 ? [0, 255, 0] : [200, 100, 50]
            })
        let area = try summary(BMPWriter.icon([(16, 16, masked)])).picture
        #expect(isClose(area.simple, 200, 100, 50, within: 0.01))
        #expect(area.opacity == 0.75)
    }

    @Test("The two colors of an icon of one bit are its own")
    func iconOfBits() throws {
        // Red in the left quarter, blue in the rest; the upper half is not seen.
        let mask = (0..<16).flatMap { [UInt8]($0 < 8 ? [0, 0, 0, 0] : [255, 255, 0, 0]) }
        let pixels = (0..<16).flatMap { _ in [UInt8]([0x0F, 0xFF, 0, 0]) }
        let header: [UInt8] =
            .little(40, 4) + .little(16, 4) + .little(32, 4) + .little(1, 2) + .little(1, 2)
            + .little(0, 4) + .little(128, 4) + [UInt8](repeating: 0, count: 16)
        let palette: [UInt8] = [0, 0, 255, 0, 255, 0, 0, 0]
        let area = try summary(
            BMPWriter.icon([(16, 16, header + palette + pixels + mask)])
        ).picture
        #expect(isClose(area.simple, 255 * 0.25, 0, 255 * 0.75, within: 0.01))
        #expect(area.opacity == 0.5)
    }

    @Test("A bitmap of sixteen bits may have alpha", arguments: [4, -4])
    func shallowBitmap(height: Int) throws {
        // Four bits each: alpha 8 of 15, red 15, green 5, blue 0, and two rows of nothing.
        let rows = [UInt8]([0x50, 0x8F, 0x50, 0x8F]) + [0, 0, 0, 0]
        let bytes = BMPWriter.bytes(
            width: 2, height: height, bits: 16, compression: 3,
            masks: [0x0F00, 0x00F0, 0x000F, 0xF000], data: rows + rows)
        let summary = try summary(bytes)
        #expect(isClose(summary.picture.simple, 255, 85, 0, within: 0.01))
        #expect(abs(summary.picture.opacity - 136.0 / 255 / 2) < 0.001)
        #expect(summary.image.complete)
    }

    @Test("Of a GIF whose screen has no extent the first frame is the size")
    func emptyScreen() throws {
        let frame = GIFWriter.Frame(
            left: 3, top: 2, width: 4, height: 2, indices: [0, 0, 1, 1, 0, 0, 1, 1])
        let gif = GIFWriter(
            width: 0, height: 0, palette: [[200, 0, 0], [0, 0, 100]], frames: [frame])
        let summary = try summary(gif.bytes())
        #expect(summary.image.width == 4 && summary.image.height == 2)
        #expect(isClose(summary.picture.simple, 100, 0, 50, within: 0.01))
        #expect(summary.picture.opacity == 1 && summary.image.complete)
    }

    @Test("An icon's picture may be a PNG file")
    func iconOfPNG() throws {
        let png = PNGWriter(width: 16, height: 16, colorType: .rgba, pixel: half).bytes()
        let small = BMPWriter.iconPicture(width: 8, height: 8, bits: 24) { _, _ in [1, 2, 3] }
        let summary = try summary(BMPWriter.icon([(8, 8, small), (16, 16, png)]))
        #expect(summary.image.format == .ico)
        #expect(summary.image.width == 16)
        #expect(isClose(summary.picture.simple, halfMean.0, 0, halfMean.1))
    }

    @Test("Netpbm of all kinds")
    func netpbm() throws {
        func mean(_ header: String, _ data: [UInt8] = []) throws -> SIMD3<Double> {
            let summary = try summary(Array(header.utf8) + data)
            #expect(summary.image.complete)
            return summary.picture.simple
        }
        #expect(isClose(try mean("P1 4 2\n1 0 1 0\n0101"), 127.5, 127.5, 127.5))
        #expect(isClose(try mean("P4 16 1\n", [0xAA, 0xAA]), 127.5, 127.5, 127.5))
        #expect(isClose(try mean("P2 2 1 100\n0 50"), 63.5, 63.5, 63.5))
        #expect(isClose(try mean("P5 2 1 15\n", [15, 0]), 127.5, 127.5, 127.5))
        #expect(isClose(try mean("P5 2 1 65535\n", [0x80, 0, 0x40, 0]), 96, 96, 96))
        #expect(isClose(try mean("P3 2 1 255 255 0 0 0 0 255"), 127.5, 0, 127.5))
        #expect(
            isClose(try mean("P6 1 1 255\n", [1, 2, 3] + Array("P6 1 1 255\nzzz".utf8)), 1, 2, 3))
    }

    @Test(
        "The first frame of an animation is the picture",
        arguments: [
            "animation.gif", "animation.webp", "sequence.avif",
        ])
    func animations(name: String) throws {
        let summary = try summary(Fixture.bytes(name))
        #expect(summary.image.complete)
        #expect(summary.image.width == 40 && summary.image.height == 30)
        #expect(isClose(summary.picture.simple, 200, 0, 0, within: 2))
    }

    @Test("An animation that is cut after its first frame is still complete")
    func cutAnimation() throws {
        let bytes = try Fixture.bytes("animation.webp")
        let summary = try summary(Array(bytes.dropLast(3)))
        #expect(summary.image.complete)
        #expect(isClose(summary.picture.simple, 200, 0, 0, within: 0.01))
        #expect(try failure(bytes.cut(0.4)) == .decodeFailed)
    }

    @Test("A first frame smaller than its GIF leaves the rest transparent")
    func smallFrame() throws {
        let frame = GIFWriter.Frame(
            left: 5, top: 5, width: 10, height: 10, indices: [UInt8](repeating: 1, count: 100))
        let writer = GIFWriter(
            width: 20, height: 20, palette: [[9, 9, 9], [50, 100, 150]], frames: [frame])
        let summary = try summary(writer.bytes())
        #expect(summary.image.complete)
        #expect(summary.image.width == 20 && summary.image.height == 20)
        #expect(isClose(summary.picture.simple, 50, 100, 150, within: 0.01))
        #expect(summary.picture.opacity == 0.25)
    }

    @Test("Thousands of frames take no longer than one")
    func manyFrames() throws {
        let frame = GIFWriter.Frame(width: 2, height: 2, indices: [1, 1, 1, 1])
        let frames = [GIFWriter.Frame](repeating: frame, count: 64_000)
        let writer = GIFWriter(
            width: 2, height: 2, palette: [[0, 0, 0], [7, 8, 9]], frames: frames)
        let bytes = writer.bytes()
        let start = processorSeconds()
        let summary = try summary(bytes)
        #expect(isClose(summary.picture.simple, 7, 8, 9, within: 0.01))
        // All of them would take some ten seconds.
        #expect(processorSeconds() - start < 3)
    }

    @Test("WebP and AVIF with alpha", arguments: ["alpha.webp", "alpha.avif"])
    func alpha(name: String) throws {
        let area = try summary(Fixture.bytes(name)).picture
        #expect(isClose(area.simple, halfMean.0, 0, halfMean.1, within: 1.5))
        #expect(abs(area.opacity - 383.0 / 510) < 0.003)
    }

    @Test("WebP states its orientation as JPEG does", arguments: 1...8)
    func webPOrientation(number: Int) throws {
        let bytes = try Containers.webP(
            Fixture.bytes("lossy.webp"), width: 128, height: 96, exif: Quarters.exif(number))
        let left = RegionRectangle(x: 0, y: 0, width: 0.25, height: 1)
        let summary = try summary(bytes, regions: [left])
        #expect(summary.image.orientation == number)
        #expect(summary.image.width == (number < 5 ? 128 : 96))
        let displayed = number < 5 ? summary.regions[0].simple.x : summary.regions[0].simple.y
        #expect(abs(displayed - ([2, 3, 6, 7].contains(number) ? 223.5 : 31)) < 2.5)
    }

    @Test("AVIF is turned by its loader, once")
    func turnedAVIF() throws {
        let left = RegionRectangle(x: 0, y: 0, width: 0.25, height: 1)
        let summary = try summary(Fixture.bytes("turned.avif"), regions: [left])
        #expect(summary.image.width == 64 && summary.image.height == 48)
        #expect(summary.image.orientation == 1)
        #expect(abs(summary.regions[0].simple.x - 30.5) < 2.5)
    }

    @Test("One picture in lossless formats has one summary, byte for byte")
    func determinism() throws {
        let pixel: (Int, Int) -> [UInt8] = { x, y in
            [
                UInt8(x * 255 / 127), UInt8(y * 255 / 95),
                UInt8((x * 7919 + y * 104_729 + x * y * 31) % 129),
            ]
        }
        let (width, height) = Fixture.rampSize
        let samples = (0..<width * height).map { pixel($0 % width, $0 / width) }
        let pictures: [[UInt8]] = [
            try Fixture.bytes("lossless.webp"),
            PNGWriter(width: width, height: height, pixel: pixel).bytes(),
            PNGWriter(width: width, height: height, colorType: .rgba) { pixel($0, $1) + [255] }
                .bytes(),
            TIFFWriter(width: width, height: height, pixels: samples.map { $0.map { Int($0) } })
                .bytes(),
            BMPWriter.rgb(width: width, height: height, pixel: pixel),
            BMPWriter.rgb(width: width, height: height, isTopDown: true, pixel: pixel),
            Array("P6 \(width) \(height) 255\n".utf8) + samples.flatMap { $0 },
        ]
        let region = RegionRectangle(x: 0.3, y: 0.1, width: 0.4, height: 0.33)
        let first = try summary(pictures[0], regions: [region])
        for picture in pictures {
            let other = try summary(picture, regions: [region])
            #expect(areSame(other.areas, first.areas))
            #expect(other.clusters == first.clusters)
        }
    }
}
