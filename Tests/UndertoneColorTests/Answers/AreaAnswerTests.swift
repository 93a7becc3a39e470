import Testing

@testable import UndertoneColor

@Suite struct AreaAnswerTests {
    @Test func nothingVisibleHasNoAnswer() {
        #expect(AreaAnswer(AreaSummary(), average: .simple, target: 4.5) == nil)
    }

    @Test func backgroundIsTheAverageAskedFor() throws {
        let summary = AreaSummary(of: [.black, .white])
        let expected = ["#808080", "#b4b4b4", "#bcbcbc", "#636363"]
        for (kind, hex) in zip(AverageKind.allCases, expected) {
            let answer = try #require(AreaAnswer(summary, average: kind, target: 4.5))
            #expect(answer.background.hex == hex)
            #expect(AverageKind.allCases.map { answer.average($0).hex } == expected)
            #expect(answer.luminance == summary.luminance)
            #expect(answer.opacity == 1)
        }
    }

    @Test func schemeIsTheBackgrounds() throws {
        let dark = AreaSummary(of: [RGB8(packed: 0x1e_1e2e)])
        let night = try #require(AreaAnswer(dark, average: .simple, target: 4.5))
        #expect(night.scheme == .dark)
        #expect(night.foreground.color == .white)
        let light = AreaSummary(of: [RGB8(packed: 0xbd_93f9)])
        let day = try #require(AreaAnswer(light, average: .simple, target: 4.5))
        #expect(day.scheme == .light)
        #expect(day.foreground.color == .black)
        #expect(Scheme.allCases.map(\.rawValue) == ["dark", "light"])
    }

    @Test func averagesOfTranslucentPicturesKeepTheirOpacity() throws {
        let half = SamplePixel(RGB8(packed: 0x33_66cc), alpha: 51)
        let answer = try #require(
            AreaAnswer(AreaSummary(of: [half]), average: .linear, target: 4.5))
        #expect(abs(answer.opacity - 0.2) < 1e-12)
        #expect(answer.background.hex == "#3366cc")
    }
}
