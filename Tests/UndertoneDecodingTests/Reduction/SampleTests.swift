import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneDecoding

@Suite("Samples are area means")
struct SampleTests {
    /// A picture of noise that no compression changes, in a lossless format.
    private func noise(_ x: Int, _ y: Int) -> [UInt8] {
        let value = UInt64(x * 7919 + y * 104_729) &* 0x9E37_79B9_7F4A_7C15
        return [UInt8(value >> 56), UInt8(value >> 48 & 255), UInt8(value >> 40 & 255)]
    }

    @Test("The mean of a reduced picture is the mean of its pixels")
    func mean() throws {
        let picture = PNGWriter(width: 601, height: 21) { x, y in
            [UInt8(x * 7 % 256), UInt8(y * 5 % 256), UInt8((x + y) % 256)]
        }
        var expected = SIMD3<Double>()
        for y in 0..<21 {
            for x in 0..<601 {
                expected += SIMD3(Double(x * 7 % 256), Double(y * 5 % 256), Double((x + y) % 256))
            }
        }
        expected /= 601 * 21
        let auto = try summary(picture.bytes())
        let exact = try summary(picture.bytes(), sampling: .exact)
        #expect(isClose(auto.picture.simple, expected.x, expected.y, expected.z, within: 0.01))
        #expect(isClose(exact.picture.simple, expected.x, expected.y, expected.z, within: 0.001))
        #expect(auto.image.width == 601 && auto.image.height == 21)
        #expect(auto.image.sampling == .auto && exact.image.sampling == .exact)
        // What is asked of a thumbnail is answered from the picture.
        #expect(try summary(picture.bytes(), sampling: .thumbnail).image.sampling == .auto)
    }

    @Test("Cells weigh their pixels by alpha and by area")
    func cells() throws {
        // Two cells of two and a half pixels each would need 1200 pixels for 480: take 960 × 1.
        let picture = PNGWriter(width: 960, height: 1, colorType: .rgba) { x, _ in
            x % 2 == 0 ? [200, 0, 0, 255] : [0, 100, 0, 51]
        }
        let file = try pixbuf(picture.bytes())
        let sample = SampleReducer(original: file.size).reduce(file) { _ in true }
        #expect(sample.size == PixelSize(width: 480, height: 1))
        // 255 parts of 200 and 51 of 0; 51 parts of 100; alpha half of 306.
        let expected = SamplePixel(
            UInt16((256.0 * 200 * 255 / 306).rounded()), UInt16((256.0 * 100 * 51 / 306).rounded()),
            0, 153 * 256)
        #expect(sample.pixels.allSatisfy { $0 == expected })
    }

    @Test("A trace of alpha stays above 0")
    func faint() throws {
        let picture = PNGWriter(width: 1, height: 20_000, colorType: .rgba) { _, y in
            [9, 9, 9, y == 0 ? 1 : 0]
        }
        let file = try pixbuf(picture.bytes())
        let sample = SampleReducer(original: file.size).reduce(file) { _ in true }
        #expect(sample.pixels[0] == SamplePixel(9 * 256, 9 * 256, 9 * 256, 6))
        #expect(sample.pixels[1] == SamplePixel())
        let summary = try summary(picture.bytes())
        #expect(summary.picture.opacity > 0)
        #expect(isClose(summary.picture.simple, 9, 9, 9, within: 0.01))
    }

    @Test("Sums of pictures of any height are whole")
    func tall() throws {
        // More than 66,051 rows: 255² times the height does not fit 32 bits.
        let height = 70_000
        let picture = PNGWriter(width: 2, height: height, colorType: .rgba) { x, _ in
            x == 0 ? [255, 255, 255, 255] : [255, 0, 255, 255]
        }
        let summary = try summary(picture.bytes())
        #expect(isClose(summary.picture.simple, 255, 127.5, 255, within: 0.01))
        #expect(summary.picture.opacity == 1)
        // 271 rows a cell: more bytes of 255 than fit into the sixteen bits that rows of equal
        // weight are gathered in.
        let taller = PNGWriter(width: 2, height: 130_000) { x, _ in
            x == 0 ? [255, 255, 255] : [255, 254, 253]
        }
        let sample = SampleReducer(original: PixelSize(width: 2, height: 130_000))
            .reduce(try pixbuf(taller.bytes())) { _ in true }
        #expect(sample.size == PixelSize(width: 1, height: 480))
        #expect(
            sample.pixels.allSatisfy {
                $0 == SamplePixel(255 * 256, 254 * 256 + 128, 254 * 256, 65280)
            })
    }

    @Test("Mirrored and turned pictures have the same summary, byte for byte")
    func symmetry() throws {
        let region = RegionRectangle(x: 0.1, y: 0.2, width: 0.37, height: 0.45)
        func picture(_ orientation: Int) -> [UInt8] {
            let rows = Quarters.rows(width: 489, height: 13, orientation: orientation) { x, y in
                noise(x, y)
            }
            var writer = PNGWriter(
                width: rows[0].count, height: rows.count, colorType: .rgb, bitDepth: 8,
                rows: rows.map { $0.flatMap { $0 } })
            writer.chunks = [("eXIf", Quarters.exif(orientation))]
            return writer.bytes()
        }
        let upright = try summary(picture(1), regions: [region])
        for orientation in 2...8 {
            let turned = try summary(picture(orientation), regions: [region])
            #expect(turned.image.width == 489 && turned.image.height == 13)
            #expect(turned.image.orientation == orientation)
            #expect(areSame(turned.areas, upright.areas))
        }
    }

    @Test("Rows that are not known count for nothing")
    func unknownRows() throws {
        let picture = PNGWriter(width: 4, height: 1000) { _, y in
            y < 501 ? [10, 20, 30] : [250, 0, 0]
        }
        let file = try pixbuf(picture.bytes())
        let sample = SampleReducer(original: file.size).reduce(file) { $0 < 501 }
        #expect(sample.knownRows.filter { $0 == 256 }.count == 240)
        // Row 500 makes 480 of the 1000 units of cell 240.
        #expect(sample.knownRows[240] == 256 * 480 / 1000)
        #expect(sample.knownRows.dropFirst(241).allSatisfy { $0 == 0 })
        let summarizer = SampleSummarizer(sample, orientation: .upright, backdrop: nil)
        #expect(isClose(summarizer.summarize(.picture).simple, 10, 20, 30, within: 0.001))
        #expect(summarizer.summarize(.picture).opacity == 1)
        let below = RegionRectangle(x: 0, y: 0.6, width: 1, height: 0.4)
        #expect(summarizer.summarize(below) == AreaSummary())
        #expect(summarizer.clusters().count == 1)
    }

    @Test("A picture that is no larger than a sample is taken as it is", arguments: [3, 4])
    func asItIs(channels: Int) throws {
        let size = PixelSize(width: 7, height: 5)
        // Of alpha 0, 51, … in turn.
        let picture = PNGWriter(
            width: size.width, height: size.height, colorType: channels == 4 ? .rgba : .rgb
        ) { x, y in
            noise(x, y) + (channels == 4 ? [UInt8((x + y) % 6 * 51)] : [])
        }
        let file = try pixbuf(picture.bytes())
        let sample = SampleReducer(original: size).reduce(file) { $0 != 2 }
        #expect(sample.size == size)
        #expect(sample.knownRows == [256, 256, 0, 256, 256])
        for y in 0..<size.height {
            for x in 0..<size.width {
                let alpha = channels == 4 ? (x + y) % 6 * 51 : 255
                let color = noise(x, y).map { UInt16($0) * 256 }
                let isSeen = y != 2 && alpha > 0
                let expected =
                    isSeen
                    ? SamplePixel(color[0], color[1], color[2], UInt16(alpha) * 256)
                    : SamplePixel()
                #expect(sample.pixels[y * size.width + x] == expected)
            }
        }
    }

    /// One cell's mean in whole numbers, halves rounded up, by each pixel's overlap.
    private func mean(
        of cell: (x: Int, y: Int), in size: PixelSize, sample: PixelSize,
        pixel: (Int, Int) -> [UInt8]
    ) -> SamplePixel {
        var sums = [0, 0, 0, 0]
        func overlap(_ pixel: Int, _ cell: Int, _ length: Int, _ cells: Int) -> Int {
            min((pixel + 1) * cells, (cell + 1) * length) - max(pixel * cells, cell * length)
        }
        for y in 0..<size.height {
            let down = overlap(y, cell.y, size.height, sample.height)
            if down <= 0 { continue }
            for x in 0..<size.width {
                let across = overlap(x, cell.x, size.width, sample.width)
                if across <= 0 { continue }
                let values = pixel(x, y)
                let alpha = values.count == 4 ? Int(values[3]) : 255
                for channel in 0..<3 {
                    sums[channel] += Int(values[channel]) * alpha * across * down
                }
                sums[3] += alpha * across * down
            }
        }
        func rounded(_ sum: Int, _ area: Int) -> UInt16 { UInt16((512 * sum + area) / (2 * area)) }
        if sums[3] == 0 { return SamplePixel() }
        return SamplePixel(
            rounded(sums[0], sums[3]), rounded(sums[1], sums[3]), rounded(sums[2], sums[3]),
            max(1, rounded(sums[3], size.width * size.height)))
    }

    @Test(
        "Every cell is the mean of its pixels to the last bit",
        arguments: [
            PixelSize(width: 481, height: 3), PixelSize(width: 7, height: 1201),
            PixelSize(width: 1440, height: 4),
        ], [3, 4, 5])
    func wholeNumbers(size: PixelSize, kind: Int) throws {
        // Without alpha, with an opaque one, and with one that varies.
        func pixel(_ x: Int, _ y: Int) -> [UInt8] {
            kind == 3
                ? noise(x, y) : noise(x, y) + [kind == 4 ? 255 : UInt8((x * 31 + y * 17) % 256)]
        }
        let picture = PNGWriter(
            width: size.width, height: size.height, colorType: kind == 3 ? .rgb : .rgba,
            pixel: pixel)
        let sample = SampleReducer(original: size).reduce(try pixbuf(picture.bytes())) { _ in true }
        for y in 0..<sample.size.height {
            for x in 0..<sample.size.width {
                let expected = mean(of: (x, y), in: size, sample: sample.size, pixel: pixel)
                #expect(sample.pixels[y * sample.size.width + x] == expected)
            }
        }
    }

    @Test("Halves are rounded up in the largest pictures too")
    func halves() {
        // 2^30 pixels in 480 columns: the sums of a cell are as large as they get.
        for area in [3, 7, 1 << 20, (1 << 30) - 1, 1 << 30] {
            for sum in [
                area / 2, area / 2 + 1, 255 * area, 255 * area - 1, 127 * area + area / 512,
            ] {
                let expected = UInt16((512 * sum + area) / (2 * area))
                let plain = OpaqueMean(area: area)(SIMD4(Double(sum), 0, 0, 0))
                let weighted = OpaqueMean(area: area, factor: 255)(
                    SIMD4(255 * Double(sum), 0, 0, 0))
                #expect(plain == SamplePixel(expected, 0, 0, 65280), "\(sum) of \(area)")
                #expect(weighted == plain, "\(sum) of \(area)")
            }
        }
    }

    private func pixbuf(_ bytes: [UInt8]) throws -> Pixbuf {
        let loader = try PixbufLoader(module: "png") { _ in .keep }
        try loader.write(bytes.span)
        try loader.close()
        return try #require(loader.pixbuf())
    }
}

extension Sample {
    /// All pixels, row by row; those of rows that are not known are empty.
    fileprivate var pixels: [SamplePixel] {
        var pixels = [SamplePixel](repeating: SamplePixel(), count: size.width * size.height)
        unsafe forEachRow { y, row in
            unsafe pixels.replaceSubrange(y * size.width..<(y + 1) * size.width, with: row)
        }
        return pixels
    }
}
