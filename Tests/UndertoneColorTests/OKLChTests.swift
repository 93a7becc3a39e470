import Testing

@testable import UndertoneColor

@Suite struct OKLChTests {
    @Test func huesOfPrimaries() {
        for (packed, hue) in [
            (0xff_0000, 29.23), (0xff_ff00, 109.77), (0x00_ff00, 142.50), (0x00_ffff, 194.77),
            (0x00_00ff, 264.05), (0xff_00ff, 328.36),
        ] as [(UInt32, Double)] {
            #expect(abs(RGB8(packed: packed).oklch.hue - hue) < 0.01)
        }
    }

    @Test func formsAgree() {
        for packed in stride(from: UInt32(0), to: 1 << 24, by: 40_009) {
            let color = RGB8(packed: packed)
            #expect(RGB8(oklab: color.oklch.oklab) == color)
            let shown = color.oklch.withinSRGB
            #expect(abs(shown.chroma - color.oklch.chroma) < 1e-4)
        }
    }

    @Test func whatSRGBCannotShowKeepsLightnessAndHue() {
        for hue in stride(from: 0.0, to: 360, by: 15) {
            let color = OKLCh(lightness: 0.6, chroma: 0.5, hue: hue).withinSRGB
            let shown = RGB8(oklab: color.oklab).oklch
            #expect(abs(shown.lightness - 0.6) < 0.005)
            let turn = abs(shown.hue - hue)
            #expect(min(turn, 360 - turn) < 2.5)
            #expect(color.chroma > 0.09)
        }
    }

    @Test func greysHaveNoHue() {
        for value in UInt8.min...255 {
            #expect(RGB8(red: value, green: value, blue: value).oklch.isGrey)
        }
        #expect(!RGB8(packed: 0x80_8890).oklch.isGrey)
    }
}
