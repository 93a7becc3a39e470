import Testing

@testable import UndertoneColor

@Suite struct MaterialTests {
    /// The smallest step that serves, by trying all of them on every pixel.
    @Test(arguments: RandomPicture.allCases, Scheme.allCases)
    func layerIsTheThinnestThatServes(kind: RandomPicture, scheme: Scheme) throws {
        let pixels = kind.pixels(200, seed: 1)
        let summary = AreaSummary(of: pixels, backdrop: .white)
        let background = try #require(summary.average(.simple))
        let (text, layer): (RGB8, RGB8) = scheme == .dark ? (.white, .black) : (.black, .white)
        for base in Material.Base.allCases {
            let colors = base == .image ? pixels.composites(on: .white) : [background]
            let step = (0...255).first { step in
                colors.allSatisfy {
                    contrastRatio(text, $0.mixed(towards: layer, step)) >= Material.Target.primary
                }
            }
            let material = Material(background: background, summary, over: base, scheme: scheme)
            #expect(material.step == step)
            #expect(material.color == layer)
            #expect(material.scheme == scheme)
            #expect(material.background == background.mixed(towards: layer, material.step))
        }
    }

    @Test func withoutASchemeTheThinnerLayerWins() throws {
        var generator = SeededGenerator(2)
        for _ in 0..<100 {
            let color = RGB8.random(using: &generator)
            let summary = AreaSummary(of: [color])
            let material = Material(background: color, summary, over: .background)
            let both = Scheme.allCases.map {
                Material(background: color, summary, over: .background, scheme: $0)
            }
            #expect(both.contains(material))
            #expect(material.step == both.map(\.step).min())
            if contrastRatio(.white, color) >= 7 {
                #expect(material.step == 0)
                #expect(material.scheme == .dark)
                #expect(material.background == color)
            }
        }
    }
}

@Suite struct IndicatorTests {
    @Test(arguments: RandomPicture.allCases, Material.Base.allCases)
    func everythingReachesItsRatio(kind: RandomPicture, base: Material.Base) throws {
        for seed in UInt64(1)...5 {
            let pixels = kind.pixels(300, seed: seed)
            let summary = AreaSummary(of: pixels, backdrop: .black)
            let indicator = try #require(Indicator(summary, average: .squareRoot, over: base))
            let layer = indicator.material.color
            let strip =
                base == .image
                ? pixels.composites(on: .black).map {
                    $0.mixed(towards: layer, indicator.material.step)
                } : [indicator.material.background]
            for (color, target) in [
                (indicator.primary, 7), (indicator.secondary, 4.5), (indicator.currentDot, 4.5),
                (indicator.otherDot, 3),
            ] {
                #expect(color.meets)
                let lowest = strip.map { contrastRatio(color.color, $0) }.min() ?? 0
                #expect(lowest == color.contrast)
                #expect(lowest >= target)
            }
            #expect(indicator.otherDot.contrast <= indicator.currentDot.contrast)
        }
    }

    @Test func nothingVisibleHasNoIndicator() {
        #expect(Indicator(AreaSummary(), average: .simple) == nil)
    }

    @Test func backgroundsOfBothAlgorithms() throws {
        let summary = AreaSummary(of: [.black, .white])
        let simple = try #require(Indicator(summary, average: .simple, scheme: .dark))
        let root = try #require(Indicator(summary, average: .squareRoot, scheme: .dark))
        // #808080 and #b4b4b4 under just enough black for 7: at most #595959.
        #expect(simple.material.background.hex == "#595959")
        #expect(root.material.background.hex == "#595959")
        #expect(root.material.step > simple.material.step)
    }
}

@Suite struct GlyphDecisionTests {
    private func decide(_ pixels: [SamplePixel], on background: RGB8 = .white) -> GlyphDecision? {
        GlyphDecision(
            opacity: AreaSummary(of: pixels).opacity, [ColorCluster](of: pixels), on: background,
            tint: RGB8(packed: 0x22_2222))
    }

    private let clear = SamplePixel(.black, alpha: 0)

    @Test func shapeInOneColorIsTinted() throws {
        let red = SamplePixel(RGB8(packed: 0xe0_1010))
        let decision = try #require(decide([red, red, clear, clear]))
        #expect(decision.style == .tint)
        #expect(decision.reason == .shapeOnly)
        #expect(decision.color.color.hex == "#222222")
        #expect(decision.color.meets)
    }

    /// Edges that fade, and stray pixels, make no second colour.
    @Test func softenedEdgesAreNoColors() throws {
        var pixels = [SamplePixel](repeating: SamplePixel(RGB8(packed: 0x10_10e0)), count: 100)
        for alpha in stride(from: UInt8(10), to: 250, by: 20) {
            pixels.append(SamplePixel(RGB8(packed: 0x11_10df), alpha: alpha))
        }
        pixels.append(SamplePixel(RGB8(packed: 0xff_ff00)))
        #expect(try #require(decide(pixels + [clear])).reason == .shapeOnly)
    }

    @Test func severalColorsAreKept() throws {
        let pixels = [0xd0_2020, 0x20_20d0].map { SamplePixel(RGB8(packed: $0)) }
        let decision = try #require(decide(pixels + [clear, clear]))
        #expect(decision.style == .original)
        #expect(decision.reason == .severalColors)
        #expect(decision.color.meets)
    }

    @Test func opaqueBlockIsKept() throws {
        let pixels = [SamplePixel](repeating: SamplePixel(RGB8(packed: 0x20_60a0)), count: 9)
        let decision = try #require(decide(pixels))
        #expect(decision.style == .original)
        #expect(decision.reason == .opaqueBlock)
        #expect(decision.color.color.hex == "#2060a0")
    }

    @Test func whatCannotBeSeenIsTinted() throws {
        let pale = [0xff_f0c0, 0xd0_f0ff].map { SamplePixel(RGB8(packed: $0)) }
        let decision = try #require(decide(pale + [clear]))
        #expect(decision.style == .tint)
        #expect(decision.reason == .tooLittleContrast)
        #expect(try #require(decide(pale + [clear], on: .black)).style == .original)
        #expect(try #require(decide([pale[0]])).reason == .tooLittleContrast)
    }

    @Test func nothingVisibleHasNoDecision() {
        #expect(decide([clear]) == nil)
    }
}
