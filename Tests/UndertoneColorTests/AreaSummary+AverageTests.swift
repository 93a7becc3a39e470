import Testing

@testable import UndertoneColor

@Suite struct AverageTests {
    @Test func blackAndWhiteInEqualParts() {
        let summary = AreaSummary(of: [.black, .white])
        #expect(abs(summary.simple.x - 127.5) < 1e-9)
        #expect(abs(summary.squareRoot.y - 180.3122) < 1e-4)
        #expect(abs(255 * TransferFunction.encode(summary.linear.z) - 187.5160) < 1e-3)
        let oklab = OKLab.toLinear(summary.oklab)
        for channel in 0..<3 {
            #expect(abs(255 * TransferFunction.encode(oklab[channel]) - 99.09) < 0.01)
        }
        #expect(summary.average(.simple)?.hex == "#808080")
        #expect(summary.average(.squareRoot)?.hex == "#b4b4b4")
        #expect(summary.average(.linear)?.hex == "#bcbcbc")
        #expect(summary.average(.oklab)?.hex == "#636363")
    }

    @Test(arguments: AverageKind.allCases)
    func flatPictureIsItself(kind: AverageKind) {
        for packed in stride(from: UInt32(0), to: 1 << 24, by: 80_507) {
            let color = RGB8(packed: packed)
            let average = AreaSummary(of: [color]).average(kind)
            #expect(average == color)
        }
    }

    /// The same for every colour, without the accumulator around the arithmetic.
    @Test func everyColorSurvivesEveryMean() {
        let tables = PixelTables.shared
        for packed in everyColor {
            let color = RGB8(packed: packed)
            let light = tables.light(SamplePixel(color))
            let roots = ConeRoots(
                red: SIMD4(repeating: Float(light.x)), green: SIMD4(repeating: Float(light.y)),
                blue: SIMD4(repeating: Float(light.z)))
            let integers = SIMD3(roots.l.x, roots.m.x, roots.s.x) &- ConeRoots.bias
            var summary = AreaSummary()
            summary.opacity = 1
            let linear = SIMD3(Double(light.x), Double(light.y), Double(light.z))
            summary.linear = linear / PixelTables.lightScale
            let means = SIMD3(Double(integers.x), Double(integers.y), Double(integers.z))
            summary.oklab = OKLab.fromConeRoots(means / ConeRoots.scales)
            if summary.average(.linear) != color || summary.average(.oklab) != color {
                Issue.record("\(color.hex)")
            }
        }
    }

    @Test func alphaWeighs() throws {
        // Half-transparent red over three quarters, opaque blue over one quarter.
        let red = SamplePixel(RGB8(red: 255, green: 0, blue: 0), alpha: 128)
        let blue = SamplePixel(RGB8(red: 0, green: 0, blue: 255))
        let summary = AreaSummary(of: [red, red, red, blue])
        let (r, b) = (3.0 * 128, 255.0)
        #expect(abs(summary.opacity - (r + b) / (4 * 255)) < 1e-12)
        #expect(abs(summary.simple.x - 255 * r / (r + b)) < 1e-9)
        #expect(abs(summary.simple.z - 255 * b / (r + b)) < 1e-9)
        #expect(abs(summary.squareRoot.x - 255 * (r / (r + b)).squareRoot()) < 1e-9)
        #expect(abs(summary.linear.x - r / (r + b)) < 1e-9)
    }

    @Test func nothingVisibleHasNoAverage() {
        let summary = AreaSummary(of: [SamplePixel(65280, 0, 0, 0)])
        #expect(summary == AreaSummary())
        #expect(AverageKind.allCases.allSatisfy { summary.average($0) == nil })
        #expect(AreaSummary(of: [] as [SamplePixel]) == AreaSummary())
    }
}
