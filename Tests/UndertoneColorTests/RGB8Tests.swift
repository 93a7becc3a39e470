import Testing

@testable import UndertoneColor

@Suite struct RGB8Tests {
    @Test func hexadecimalForms() {
        #expect(RGB8(hex: "#1a2B3c") == RGB8(red: 0x1a, green: 0x2b, blue: 0x3c))
        #expect(RGB8(hex: "#1a2B3c")?.hex == "#1a2b3c")
        #expect(RGB8(hex: "x#0f0f0f".dropFirst())?.hex == "#0f0f0f")
        #expect(RGB8(hexBytes: Array("#FFFFFF".utf8)) == .white)
        #expect(RGB8.black.hex == "#000000")
    }

    @Test(arguments: [
        "", "#", "#fff", "ffffff", "#fffff", "#fffffff", "#ggg000", "#12345g", "# 12345", "#+12345",
        "#12345\u{0}", "#１２３４５６", "0x123456", " #123456", "#123456\n",
    ])
    func otherFormsAreRefused(text: String) {
        #expect(RGB8(hex: text) == nil)
    }

    @Test func packedFormIsTheNumber() {
        #expect(RGB8(packed: 0x12_3456) == RGB8(red: 0x12, green: 0x34, blue: 0x56))
        #expect(RGB8(red: 0x12, green: 0x34, blue: 0x56).packed == 0x12_3456)
        #expect(RGB8(packed: 0xff00_00ff) == RGB8(red: 0, green: 0, blue: 255))
    }

    /// Colour, luminance, and the contrast of white and of black text, from WCAG's own formula.
    static let contrasts: [(String, Double, Double, Double)] = [
        ("#767676", 0.1812, 4.542, 4.623), ("#777777", 0.1845, 4.478, 4.689),
        ("#747474", 0.1746, 4.674, 4.493), ("#757575", 0.1779, 4.608, 4.558),
        ("#808080", 0.2159, 3.949, 5.317), ("#bd93f9", 0.3853, 2.412, 8.705),
        ("#ff0000", 0.2126, 3.998, 5.252), ("#0000ff", 0.0722, 8.592, 2.444),
        ("#00ff00", 0.7152, 1.372, 15.304), ("#ff7f00", 0.3644, 2.534, 8.288),
        ("#2ab5c8", 0.3771, 2.458, 8.542), ("#efefef", 0.8632, 1.15, 18.263),
        ("#1e1e2e", 0.014, 16.402, 1.28), ("#949494", 0.2961, 3.033, 6.923),
        ("#b8b8b8", 0.4793, 1.984, 10.586),
    ]

    @Test(arguments: contrasts)
    func contrast(hex: String, luminance: Double, white: Double, black: Double) throws {
        let color = try #require(RGB8(hex: hex))
        #expect(abs(color.relativeLuminance - luminance) < 6e-5)
        #expect(abs(contrastRatio(.white, color) - white) < 6e-4)
        #expect(abs(contrastRatio(color, .black) - black) < 6e-4)
        #expect(contrastRatio(color, .black) == contrastRatio(.black, color))
        #expect(contrastRatio(color, color) == 1)
    }

    @Test func extremeContrast() {
        #expect(RGB8.black.relativeLuminance == 0)
        #expect(abs(RGB8.white.relativeLuminance - 1) < 1e-15)
        #expect(abs(contrastRatio(.white, .black) - 21) < 1e-12)
    }

    @Test func compositingRoundsEveryChannel() {
        for value in UInt8.min...255 {
            let color = RGB8(red: value, green: value, blue: value)
            for step in 0...255 {
                let exact = Double(value) * Double(255 - step) / 255
                #expect(
                    color.mixed(towards: .black, step).red == UInt8((exact + 0.5).rounded(.down)))
                let white = exact + Double(step)
                #expect(
                    color.mixed(towards: .white, step).blue == UInt8((white + 0.5).rounded(.down)))
            }
        }
    }

    @Test func mixingEndsAtBothColors() {
        let (from, to) = (RGB8(packed: 0x10_80ff), RGB8(packed: 0xf0_7f00))
        #expect(from.mixed(towards: to, 0) == from)
        #expect(from.mixed(towards: to, 255) == to)
        #expect(from.mixed(towards: to, 51).hex == "#3d80cc")
    }

    @Test func roundingTakesTheNearerEnd() {
        #expect(RGB8(rounding: SIMD3(-3, 300, 127.5)).hex == "#00ff80")
        #expect(RGB8(rounding: SIMD3(0.4999, 254.5, 127.4999)).hex == "#00ff7f")
    }
}
