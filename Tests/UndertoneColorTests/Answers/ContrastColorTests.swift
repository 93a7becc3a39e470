import Testing

@testable import UndertoneColor

/// All colours that eight bits a channel can show.
let everyColor = UInt32(0)..<1 << 24

@Suite struct ContrastColorTests {
    @Test func foregroundIsNeverBelow458() {
        var lowest = 21.0
        for packed in everyColor {
            let background = RGB8(packed: packed)
            let foreground = ContrastColor.foreground(on: background, target: 4.5)
            lowest = min(lowest, foreground.contrast)
            let isDark = background.relativeLuminance < Luminance.flip
            if foreground.color != (isDark ? .white : .black) || !foreground.meets {
                Issue.record("\(background.hex)")
            }
        }
        #expect(lowest >= 4.58)
        #expect(lowest < 4.6)
    }

    @Test func aTargetThatIsOutOfReachIsMissed() {
        let grey = RGB8(red: 119, green: 119, blue: 119)
        let foreground = ContrastColor.foreground(on: grey, target: 7)
        #expect(foreground.color == .black)
        #expect(!foreground.meets)
        #expect(abs(foreground.contrast - 4.689) < 1e-3)
        #expect(foreground.quieter(on: grey, target: 7) == foreground)
    }

    /// The ratio is compared as it is: 4.4999 is not 4.5, and what is reached exactly is reached.
    @Test func ratiosAreNotRoundedBeforeTheyAreCompared() {
        let grey = RGB8(red: 118, green: 118, blue: 118)
        let ratio = contrastRatio(.white, grey)
        #expect(ContrastColor(.white, on: grey, target: ratio).meets)
        #expect(!ContrastColor(.white, on: grey, target: ratio.nextUp).meets)
    }

    @Test func quieterTextGoesAsFarAsTheTargetAllows() {
        var generator = SeededGenerator(1)
        for _ in 0..<300 {
            let background = RGB8.random(using: &generator)
            let target = Double.random(in: 1...12, using: &generator)
            let foreground = ContrastColor.foreground(on: background, target: target)
            let quieter = foreground.quieter(on: background, target: target)
            let ratios = (0...255).map {
                contrastRatio(foreground.color.mixed(towards: background, $0), background)
            }
            #expect(zip(ratios, ratios.dropFirst()).allSatisfy { $0 >= $1 })
            let last = ratios.lastIndex { $0 >= target } ?? 0
            #expect(quieter.contrast == ratios[last])
            #expect(quieter.meets == foreground.meets)
        }
    }

    @Test func quieterTextOfTheDesignsExample() throws {
        let background = try #require(RGB8(hex: "#7f6a52"))
        let foreground = ContrastColor.foreground(on: background, target: 4.5)
        #expect(foreground.color == .white)
        #expect(abs(foreground.contrast - 5.13967) < 1e-5)
        let secondary = foreground.quieter(on: background, target: 4.5)
        #expect(secondary.color.hex == "#f2f0ed")
        #expect(abs(secondary.contrast - 4.5186) < 1e-4)
    }
}
