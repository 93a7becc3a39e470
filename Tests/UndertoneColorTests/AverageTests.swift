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
        for packed in stride(from: UInt32(0), to: 1 << 24, by: 40_503) {
            let color = RGB8(packed: packed)
            let average = AreaSummary(of: [color]).average(kind)
            #expect(average == color)
        }
    }

    @Test func nothingVisibleHasNoAverage() {
        let summary = AreaSummary(of: [SamplePixel(65280, 0, 0, 0)])
        #expect(summary == AreaSummary())
        #expect(AverageKind.allCases.allSatisfy { summary.average($0) == nil })
    }
}
