import Testing

@testable import UndertoneColor

@Suite struct OverImageTests {
    static let targets = [1.0, 3, 4.5, 7, 12, 21]

    /// The answer from the summary against one from every pixel.
    @Test(arguments: RandomPicture.allCases)
    func isThatOfEveryPixel(kind: RandomPicture) throws {
        for (seed, backdrop) in [(UInt64(1), nil), (2, RGB8(packed: 0x20_4080))] {
            let pixels = kind.pixels(500, seed: seed)
            let summary = AreaSummary(of: pixels, backdrop: backdrop)
            let white = pixels.composites(on: backdrop ?? .white)
            let black = pixels.composites(on: backdrop ?? .black)
            for target in Self.targets {
                let answer = try #require(
                    AreaAnswer(summary, average: .simple, target: target)
                ).overImage
                let lowestWhite = white.map { contrastRatio(.white, $0) }.min() ?? 0
                let lowestBlack = black.map { contrastRatio(.black, $0) }.min() ?? 0
                #expect(answer.contrast == max(lowestWhite, lowestBlack))
                if lowestWhite != lowestBlack {
                    #expect(answer.color == (lowestWhite > lowestBlack ? .white : .black))
                }
                let under = answer.color == .white ? white : black
                let reaching = under.count { contrastRatio(answer.color, $0) >= target }
                let share = Double(reaching) / Double(under.count)
                #expect(abs(answer.coverage - share) < 0.005)
                #expect((answer.coverage == 1) == (reaching == under.count))
                #expect((answer.coverage == 0) == (reaching == 0))
                #expect(answer.meets == (reaching == under.count))
                #expect(answer.scrim.step == Self.smallestScrim(answer.color, under, target))
            }
        }
    }

    private static func smallestScrim(_ text: RGB8, _ pixels: [RGB8], _ target: Double) -> Int {
        (0...255).first { step in
            pixels.allSatisfy { pixel in
                let composite =
                    text == .white
                    ? pixel.mixed(towards: .black, step) : pixel.mixed(towards: .white, step)
                return contrastRatio(text, composite) >= target
            }
        } ?? 255
    }

    /// On an unknown picture 4.5 takes a black scrim of 0.5347 or a white one of 0.4553, which in
    /// steps of 1/255 are 137 and 117. Nothing takes more.
    @Test func boundsAreReachedButNotExceeded() throws {
        var generator = SeededGenerator(3)
        var steps: [RGB8: Set<Int>] = [.white: [], .black: []]
        for count in 1...60 {
            var colors = (0..<count).map { _ in RGB8.random(using: &generator) }
            if count % 3 == 0 { colors += [.white, .black] }
            let summary = AreaSummary(of: colors)
            let answer = try #require(AreaAnswer(summary, average: .linear, target: 4.5))
            steps[answer.overImage.color]?.insert(answer.overImage.scrim.step)
        }
        #expect(steps[.white]?.max() == 137)
        #expect((steps[.black]?.max() ?? 0) <= 117)
        let white = AreaSummary(of: [.white])
        #expect(white.worstUnderBlackScrim.allSatisfy { $0 == .white })
        #expect(contrastRatio(.white, RGB8.white.mixed(towards: .black, 136)) < 4.5)
        #expect(contrastRatio(.black, RGB8.black.mixed(towards: .white, 116)) < 4.5)
        #expect(contrastRatio(.black, RGB8.black.mixed(towards: .white, 117)) >= 4.5)
    }

    /// Black and white in the picture: whatever the text, somewhere it cannot be read.
    @Test func equalRatiosGoByCoverage() throws {
        let dark = AreaSummary(of: [.black, .black, .white])
        let answer = try #require(AreaAnswer(dark, average: .simple, target: 4.5)).overImage
        #expect(answer.color == .white)
        #expect(answer.contrast == 1)
        #expect(abs(answer.coverage - 2.0 / 3) < 1.0 / 256)
        #expect(answer.scrim == OverImage.Scrim(color: .black, step: 137))
        let light = AreaSummary(of: [.black, .white, .white])
        let other = try #require(AreaAnswer(light, average: .simple, target: 4.5)).overImage
        #expect(other.color == .black)
        #expect(other.scrim == OverImage.Scrim(color: .white, step: 117))
    }

    /// A share too small for the table still keeps the ends from being reached.
    @Test func rareExtremesAreSeen() throws {
        var colors = [RGB8](repeating: .black, count: 5000)
        colors[77] = RGB8(packed: 0x80_8080)
        let answer = try #require(
            AreaAnswer(AreaSummary(of: colors), average: .simple, target: 4.5)
        ).overImage
        #expect(!answer.meets)
        #expect(answer.coverage < 1)
        #expect(answer.coverage > 0.997)
        #expect(answer.scrim.step > 0)
    }

    @Test func flatPictureNeedsNoScrimWhereTextIsLegible() throws {
        for packed in stride(from: UInt32(0), to: 1 << 24, by: 300_007) {
            let color = RGB8(packed: packed)
            let summary = AreaSummary(of: [color])
            let answer = try #require(AreaAnswer(summary, average: .oklab, target: 4.5))
            #expect(answer.overImage.color == answer.foreground.color)
            #expect(answer.overImage.contrast == answer.foreground.contrast)
            #expect(answer.overImage.coverage == 1)
            #expect(answer.overImage.scrim.step == 0)
        }
    }
}
