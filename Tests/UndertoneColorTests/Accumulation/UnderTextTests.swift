import Testing

@testable import UndertoneColor

/// What an area's summary says of the pixels under text, against every pixel by itself.
@Suite struct UnderTextTests {
    static let backdrops: [RGB8?] = [nil, RGB8(red: 30, green: 200, blue: 120)]

    @Test(arguments: RandomPicture.allCases)
    func worstUnderEveryScrim(kind: RandomPicture) {
        for (seed, backdrop) in zip(UInt64(1)..., Self.backdrops) {
            for count in [1, 2, 300] {
                let pixels = kind.pixels(count, seed: seed)
                let summary = AreaSummary(of: pixels, backdrop: backdrop)
                guard summary.opacity > 0 else { continue }
                let onWhite = pixels.composites(on: backdrop ?? .white)
                let onBlack = pixels.composites(on: backdrop ?? .black)
                for step in [0, 1, 2, 57, 93, 94, 128, 200, 240, 250, 253, 254, 255] {
                    let lightest = onWhite.map { $0.mixed(towards: .black, step).relativeLuminance }
                        .max()
                    let worst = summary.worstUnderBlackScrim[step]
                    #expect(worst.mixed(towards: .black, step).relativeLuminance == lightest)
                    #expect(onWhite.contains(worst))
                    let darkest = onBlack.map { $0.mixed(towards: .white, step).relativeLuminance }
                        .min()
                    let other = summary.worstUnderWhiteScrim[step]
                    #expect(other.mixed(towards: .white, step).relativeLuminance == darkest)
                    #expect(onBlack.contains(other))
                }
            }
        }
    }

    /// Every step of every colour on a plane, on which no colour exceeds another in all channels.
    @Test func largeFrontsLoseNothing() {
        var generator = SeededGenerator(11)
        var colors: [RGB8] = []
        while colors.count < 300 {
            let red = Int.random(in: 0...255, using: &generator)
            let green = Int.random(in: 0...255, using: &generator)
            guard let blue = UInt8(exactly: 400 - red - green) else { continue }
            colors.append(RGB8(red: UInt8(red), green: UInt8(green), blue: blue))
        }
        let summary = AreaSummary(of: colors)
        for step in 0...255 {
            let lightest = colors.map { $0.mixed(towards: .black, step).relativeLuminance }.max()
            let worst = summary.worstUnderBlackScrim[step].mixed(towards: .black, step)
            #expect(worst.relativeLuminance == lightest)
            let darkest = colors.map { $0.mixed(towards: .white, step).relativeLuminance }.min()
            let other = summary.worstUnderWhiteScrim[step].mixed(towards: .white, step)
            #expect(other.relativeLuminance == darkest)
        }
    }

    /// A dark grey needs less white than a blue of the same luminance.
    @Test func darkestIsNotAlwaysWorst() throws {
        let grey = try #require(RGB8(hex: "#4b4b4b"))
        let blue = try #require(RGB8(hex: "#0000ff"))
        #expect(grey.relativeLuminance < blue.relativeLuminance)
        let summary = AreaSummary(of: [grey, blue])
        #expect(summary.worstUnderWhiteScrim[0] == grey)
        #expect(summary.worstUnderWhiteScrim[90] == blue)
    }

    @Test(arguments: RandomPicture.allCases)
    func quantilesAndExtremes(kind: RandomPicture) {
        for (seed, backdrop) in zip(UInt64(21)..., Self.backdrops) {
            let pixels = kind.pixels(3000, seed: seed)
            let summary = AreaSummary(of: pixels, backdrop: backdrop)
            let onWhite = pixels.composites(on: backdrop ?? .white).luminances
            let onBlack = pixels.composites(on: backdrop ?? .black).luminances
            #expect(summary.darkestUnderWhiteText.relativeLuminance == onWhite.first)
            #expect(summary.lightestUnderBlackText.relativeLuminance == onBlack.last)
            for (table, sorted) in [
                (summary.underWhiteText, onWhite), (summary.underBlackText, onBlack),
            ] {
                #expect(table.count == 256)
                for (index, code) in table.enumerated() {
                    let rank = (2 * index + 1) * sorted.count
                    let luminance = sorted[(rank + 511) / 512 - 1]
                    let expected = TransferFunction.encode(luminance)
                    // A bin is at most 1/2000 wide, and there are 3000 pixels of noise in 4096.
                    #expect(abs(Double(code) / 65535 - expected) < 1.0 / 2000)
                }
            }
        }
    }

    @Test func quantilesOfFewColorsAreExact() {
        var generator = SeededGenerator(31)
        for _ in 0..<20 {
            let colors = (0..<5).map { _ in RGB8.random(using: &generator) }
            let pixels = (0..<997).map { _ in colors.randomElement(using: &generator)! }
            let summary = AreaSummary(of: pixels)
            let sorted = pixels.luminances
            for (index, code) in summary.underWhiteText.enumerated() {
                let luminance = sorted[((2 * index + 1) * sorted.count + 511) / 512 - 1]
                let expected = (TransferFunction.encode(luminance) * 65535).rounded()
                #expect(Double(code) == expected)
            }
            let statistics = summary.luminance
            #expect(statistics.min == sorted[0])
            #expect(abs(statistics.p05 - sorted[49]) < 1e-10)
            #expect(abs(statistics.p50 - sorted[498]) < 1e-10)
            #expect(abs(statistics.p95 - sorted[947]) < 1e-10)
            #expect(statistics.max == sorted[996])
            #expect(abs(statistics.mean - sorted.reduce(0, +) / 997) < 1e-8)
        }
    }

    @Test func flatPictureHasOneLuminance() {
        var generator = SeededGenerator(41)
        for _ in 0..<50 {
            let color = RGB8.random(using: &generator)
            let statistics = AreaSummary(of: [color, color, color]).luminance
            let luminance = color.relativeLuminance
            #expect(statistics.min == luminance)
            #expect(statistics.mean == luminance)
            #expect(statistics.p05 == luminance)
            #expect(statistics.p50 == luminance)
            #expect(statistics.p95 == luminance)
            #expect(statistics.max == luminance)
        }
    }

    /// A pixel's alpha is its weight in the statistics of luminance, but not under text.
    @Test func alphaWeighsLuminanceButNotTheTables() {
        let faint = SamplePixel(.white, alpha: 1)
        let pixels = [faint, faint, faint, SamplePixel(.black)]
        let summary = AreaSummary(of: pixels, backdrop: .white)
        #expect(summary.luminance.p50 == 0)
        #expect(summary.luminance.max == 1)
        #expect(summary.underWhiteText.count { $0 == 0 } == 64)
        #expect(summary.underWhiteText.count { $0 == 65535 } == 192)
    }

    @Test func withoutABackdropTheWorseOneCounts() {
        let half = SamplePixel(RGB8(red: 128, green: 128, blue: 128), alpha: 128)
        let summary = AreaSummary(of: [half])
        // 128·128/255 + 255·127/255, and without the second term, rounded.
        #expect(summary.worstUnderBlackScrim[0].hex == "#bfbfbf")
        #expect(summary.worstUnderWhiteScrim[0].hex == "#404040")
        let onRed = AreaSummary(of: [half], backdrop: RGB8(red: 255, green: 0, blue: 0))
        #expect(onRed.worstUnderBlackScrim[0].hex == "#bf4040")
        #expect(onRed.worstUnderWhiteScrim[0].hex == "#bf4040")
    }
}

extension [RGB8] {
    /// The luminances in ascending order.
    fileprivate var luminances: [Double] { map(\.relativeLuminance).sorted() }
}
