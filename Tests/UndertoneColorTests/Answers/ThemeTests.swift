import Testing

@testable import UndertoneColor

@Suite struct ThemeTests {
    /// Pictures on which themes tend to fail, by name.
    static let degenerate: [(String, [RGB8])] = {
        var pictures: [(String, [RGB8])] = []
        for step in 0..<16 {
            let value = UInt8(step * 17)
            pictures.append(("grey \(value)", [RGB8(red: value, green: value, blue: value)]))
        }
        for index in 0..<20 {
            let hue = Double(index) * 18
            let shades = (1...9).map { lightness in
                RGB8(
                    oklab: OKLCh(lightness: Double(lightness) / 10, chroma: 0.3, hue: hue)
                        .withinSRGB.oklab)
            }
            pictures.append(("hue \(hue)", shades))
            pictures.append(("flat hue \(hue)", [shades[5]]))
        }
        var generator = SeededGenerator(5)
        for index in 0..<15 {
            let pair = [RGB8.random(using: &generator), .random(using: &generator)]
            pictures.append(("pair \(index)", pair))
            let dark = (0..<20).map { _ in
                RGB8(packed: RGB8.random(using: &generator).packed & 0x07_0707)
            }
            pictures.append(("near black \(index)", dark))
            let light = dark.map { RGB8(packed: 0xff_ffff - $0.packed) }
            pictures.append(("near white \(index)", light))
        }
        // Greys, and specks that are too few to be hues of the picture.
        let greys = (0..<2500).map { RGB8(packed: UInt32($0 * 255 / 2499) * 0x01_0101) }
        for pair in [
            (0x8c_9610, 0x30_9630), (0x10_8c96, 0x30_50c0), (0xc0_3030, 0xa0_30a0),
        ] as [(UInt32, UInt32)] {
            pictures.append(("specks", greys + [RGB8(packed: pair.0), RGB8(packed: pair.1)]))
        }
        return pictures
    }()

    private static func theme(_ colors: [RGB8], _ scheme: Scheme?) throws -> Theme {
        try #require(Theme(AreaSummary(of: colors), [ColorCluster](of: colors), scheme: scheme))
    }

    /// Everything that is promised of a theme.
    private static func check(_ theme: Theme, _ name: String) {
        let background = theme.background
        func ratio(_ color: RGB8) -> Double {
            min(contrastRatio(color, background), contrastRatio(color, theme.surface))
        }
        #expect(theme.colors.count == 16)
        for index in 1...15 {
            #expect(ratio(theme.colors[index]) >= (index == 8 ? 3 : 4.5), "\(name) \(index)")
        }
        #expect(ratio(theme.foreground) >= 7, "\(name)")
        #expect(ratio(theme.accent) >= 4.5 && ratio(theme.muted) >= 4.5, "\(name)")
        for second in 1...15 {
            for first in 0..<second {
                let distance = OKLab.distance(
                    theme.colors[first].oklab, theme.colors[second].oklab)
                #expect(distance >= Theme.separation, "\(name) \(first) \(second)")
            }
        }
        for hue in TerminalHue.allCases {
            for color in [theme.colors[hue.rawValue], theme.colors[hue.rawValue + 8]] {
                #expect(hue.contains(color.oklch.hue), "\(name) \(hue) \(color.hex)")
                #expect(color.oklch.chroma > 0.06, "\(name) \(hue) \(color.hex)")
            }
        }
        let text = ContrastColor.foreground(on: background, target: 4.5).color
        #expect(theme.scheme == (text == .white ? .dark : .light), "\(name)")
    }

    @Test(arguments: Scheme.allCases)
    func promisesHoldForDegeneratePictures(scheme: Scheme) throws {
        #expect(Self.degenerate.count >= 100)
        for (name, colors) in Self.degenerate {
            let theme = try Self.theme(colors, scheme)
            #expect(theme.scheme == scheme)
            Self.check(theme, name)
        }
    }

    @Test(arguments: Scheme.allCases)
    func promisesHoldForRandomPictures(scheme: Scheme) throws {
        for seed in UInt64(0)..<1000 {
            let kind = RandomPicture.allCases[Int(seed) % RandomPicture.allCases.count]
            let pixels = kind.pixels(150, seed: seed)
            let theme = try #require(
                Theme(AreaSummary(of: pixels), [ColorCluster](of: pixels), scheme: scheme))
            Self.check(theme, "\(kind) \(seed)")
        }
    }

    @Test func schemeFollowsThePicture() throws {
        #expect(try Self.theme([RGB8(packed: 0x10_1830)], nil).scheme == .dark)
        #expect(try Self.theme([RGB8(packed: 0xf0_e8d0)], nil).scheme == .light)
    }

    @Test(arguments: Scheme.allCases)
    func greyPicturesGiveGreys(scheme: Scheme) throws {
        let greys = (0..<256).map { RGB8(packed: UInt32($0) * 0x01_0101) }
        let theme = try Self.theme(greys, scheme)
        let others = [0, 7, 8, 15].map { theme.colors[$0] }
        for color in others + [theme.accent, theme.surface, theme.muted, theme.border] {
            #expect(color.red == color.green && color.green == color.blue)
        }
        for hue in TerminalHue.allCases {
            #expect(theme.colors[hue.rawValue].oklch.chroma < 0.09)
        }
    }

    /// A picture's own blue, green or red replaces the usual one, as far as the window allows.
    @Test func huesAreDrawnTowardsThePicture() throws {
        for (packed, hue) in [
            (0x30_60a0, TerminalHue.blue), (0x60_a060, .green), (0xc0_4040, .red),
        ] as [(UInt32, TerminalHue)] {
            let color = RGB8(packed: packed)
            let theme = try Self.theme([color, .black], .dark)
            let expected = max(
                hue.window.lowerBound + 3,
                min(
                    hue.window.upperBound - 3,
                    color.oklch.hue + (hue == .red ? 360 : 0)))
            let turn = theme.colors[hue.rawValue].oklch.hue - expected
            #expect(abs(turn) < 2 || abs(turn + 360) < 2)
        }
    }

    @Test func accentKeepsItsHue() throws {
        let purple = RGB8(packed: 0x6a_3fb0)
        let theme = try Self.theme([purple, .black, .black], .dark)
        #expect(abs(theme.accent.oklch.hue - purple.oklch.hue) < 2.5)
        #expect(theme.cursor == theme.accent)
        #expect(theme.error == theme.colors[1] && theme.success == theme.colors[2])
        #expect(theme.warning == theme.colors[3] && theme.info == theme.colors[4])
    }

    @Test func windowsAreApart() {
        let windows = TerminalHue.allCases.map(\.window).sorted { $0.lowerBound < $1.lowerBound }
        for (one, next) in zip(windows, windows.dropFirst()) {
            #expect(next.lowerBound - one.upperBound >= 30)
        }
        #expect(windows[0].lowerBound + 360 - windows[5].upperBound >= 30)
        #expect(TerminalHue.red.contains(29) && !TerminalHue.red.contains(200))
    }

    @Test func nothingVisibleHasNoTheme() {
        #expect(Theme(AreaSummary(), [], scheme: .dark) == nil)
    }
}
