import Testing
import UndertoneProtocol

@testable import UndertoneDecoding

@Suite("What a fraction of a JPEG cannot tell is found by its looks")
struct RingingEstimateTests {
    /// Whether a picture of 96 × 96 decoded pixels, or a part of it, is doubtful at an eighth.
    private func isDoubtful(
        noise: Double, bitsPerPixel: Double = 0.5, left: Double = 0, width: Double = 1,
        pixel: (Int, Int) -> [UInt8]
    ) throws -> Bool {
        let loader = try PixbufLoader(module: "png") { _ in .keep }
        try loader.write(PNGWriter(width: 96, height: 96, pixel: pixel).bytes().span)
        try loader.close()
        let pixbuf = try #require(loader.pixbuf())
        let coding = RingingEstimate.Coding(noise: noise, bitsPerPixel: bitsPerPixel)
        return RingingEstimate(pixbuf, scale: 8, coding: coding).isDoubtful([
            StoredRegion(
                .init(x: left, y: 0, width: width, height: 1), in: pixbuf.size,
                orientation: .upright)
        ])
    }

    @Test("Gray beside white or black, as of text, unless little is cut off")
    func text() throws {
        for paper: UInt8 in [255, 0] {
            let page: (Int, Int) -> [UInt8] = { _, y in
                [UInt8](repeating: y % 3 == 0 ? paper : 150, count: 3)
            }
            #expect(try isDoubtful(noise: 10, pixel: page))
            #expect(try !isDoubtful(noise: 0.5, pixel: page))
        }
        let gray: (Int, Int) -> [UInt8] = { _, y in
            [UInt8](repeating: y % 3 == 0 ? 230 : 150, count: 3)
        }
        #expect(try !isDoubtful(noise: 10, pixel: gray))
    }

    @Test("Slow changes, however far they go")
    func gradients() throws {
        for noise in [1.0, 10, 40] {
            #expect(
                try !isDoubtful(noise: noise) { x, y in
                    [UInt8(x * 255 / 95), UInt8(y * 255 / 95), 255]
                })
        }
    }

    @Test("A channel at its end while the others change")
    func saturation() throws {
        #expect(try isDoubtful(noise: 1) { x, _ in x % 2 == 0 ? [255, 160, 160] : [255, 60, 60] })
        #expect(try isDoubtful(noise: 1) { x, _ in x % 2 == 0 ? [120, 0, 0] : [40, 0, 0] })
        #expect(
            try !isDoubtful(noise: 1, bitsPerPixel: 0.2) { x, _ in
                x % 2 == 0 ? [120, 60, 60] : [40, 60, 60]
            })
    }

    @Test("More bits than photographs get")
    func bits() throws {
        let flat: (Int, Int) -> [UInt8] = { _, _ in [50, 50, 50] }
        #expect(try isDoubtful(noise: 19, bitsPerPixel: 3.9, pixel: flat))
        #expect(try !isDoubtful(noise: 19, bitsPerPixel: 1.5, pixel: flat))
        #expect(try !isDoubtful(noise: 0.4, bitsPerPixel: 12, pixel: flat))
    }

    @Test("Colors that come over and over, unless they are plain")
    func patterns() throws {
        let plain: (Int, Int) -> [UInt8] = { _, _ in [128, 127, 0] }
        let stripes: (Int, Int) -> [UInt8] = { x, _ in x % 8 < 4 ? [120, 90, 60] : [100, 90, 60] }
        // As many looks as cells.
        let slope: (Int, Int) -> [UInt8] = { x, y in [UInt8(x * 2), UInt8(y * 2), 40] }
        for pixel in [plain, stripes] {
            #expect(try isDoubtful(noise: 1, bitsPerPixel: 1, pixel: pixel))
            #expect(try !isDoubtful(noise: 1, bitsPerPixel: 0.2, pixel: pixel))
            // In a quarter of the width, which is a part.
            #expect(
                try isDoubtful(noise: 1, bitsPerPixel: 1) { x, y in
                    x < 24 ? pixel(x, y) : slope(x, y)
                })
            #expect(
                try !isDoubtful(noise: 1, bitsPerPixel: 1) { x, y in
                    [UInt8](repeating: pixel(x, y)[0], count: 3)
                })
        }
        #expect(try !isDoubtful(noise: 1, bitsPerPixel: 1, pixel: slope))
    }

    @Test("A region counts by its own part of the picture")
    func regions() throws {
        let half: (Int, Int) -> [UInt8] = { x, y in
            x < 48 ? [90, 90, 90] : [UInt8](repeating: y % 3 == 0 ? 255 : 150, count: 3)
        }
        #expect(try !isDoubtful(noise: 10, left: 0, width: 0.5, pixel: half))
        #expect(try isDoubtful(noise: 10, left: 0.5, width: 0.5, pixel: half))
    }

    @Test("Cells have the least and the greatest of their nine pixels", arguments: [3, 4])
    func extremes(channels: Int) throws {
        func value(_ x: Int, _ y: Int, _ channel: Int) -> UInt8 {
            UInt8(truncatingIfNeeded: (x * 131 + y * 57 + channel * 91) &* 2_654_435_761 >> 11)
        }
        let picture = PNGWriter(
            width: 11, height: 7, colorType: channels == 3 ? .rgb : .rgba
        ) { x, y in (0..<channels).map { value(x, y, $0) } }
        let loader = try PixbufLoader(module: "png") { _ in .keep }
        try loader.write(picture.bytes().span)
        try loader.close()
        let pixbuf = try #require(loader.pixbuf())
        var extremes = CellExtremes(of: pixbuf)
        for row in 0..<2 {
            extremes.look(at: pixbuf, cellRow: row)
            for column in 0..<3 {
                let (least, most) = extremes(column)
                for channel in 0..<3 {
                    let values = (0..<9).map {
                        value(3 * column + $0 % 3, 3 * row + $0 / 3, channel)
                    }
                    #expect(least[channel] == values.min())
                    #expect(most[channel] == values.max())
                }
            }
        }
    }
}
