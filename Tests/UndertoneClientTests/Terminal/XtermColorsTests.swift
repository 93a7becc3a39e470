import Testing
import UndertoneColor

@testable import UndertoneClient

/// What xterm's 256 colours are, and WCAG's contrast of two of them.
private enum Xterm {
    static func channels(_ index: Int) -> [Double] {
        if index >= 232 { return Array(repeating: Double(8 + 10 * (index - 232)), count: 3) }
        let levels = [0.0, 95, 135, 175, 215, 255]
        return [36, 6, 1].map { levels[(index - 16) / $0 % 6] }
    }

    /// The relative luminance as WCAG 2.2 defines it.
    static func luminance(_ channels: [Double]) -> Double {
        zip(channels, [0.2126, 0.7152, 0.0722]).map { channel, weight in
            let value = channel / 255
            let power = (value + 0.055) / 1.055
            return weight * (value <= 0.04045 ? value / 12.92 : pow24(power))
        }.reduce(0, +)
    }

    /// x^2.4 by Newton's method on y⁵ = x¹², so that nothing of the tested code is asked.
    private static func pow24(_ x: Double) -> Double {
        let power = (0..<12).reduce(1.0) { result, _ in result * x }
        var root = 1.0
        for _ in 0..<200 { root -= (root - power / (root * root * root * root)) / 5 }
        return root
    }

    static func contrast(_ one: [Double], _ other: [Double]) -> Double {
        let lights = [luminance(one), luminance(other)].sorted()
        return (lights[1] + 0.05) / (lights[0] + 0.05)
    }
}

extension RGB8 {
    fileprivate var channels: [Double] { [Double(red), Double(green), Double(blue)] }
}

/// A pair of colours that were drawn, by their numbers, and the text.
private struct Pair: Hashable {
    var background, color: Int
    var text: String

    /// Takes all that have a letter or a mark out of what was drawn.
    static func all(in text: String) -> [Pair] {
        let pieces = text.split(separator: "\u{1b}[48;5;", omittingEmptySubsequences: false)
        return pieces.dropFirst().compactMap { piece in
            let parts = piece.split(separator: "m", maxSplits: 2)
            guard parts.count == 3, let background = Int(parts[0]),
                let color = Int(parts[1].dropFirst("\u{1b}[38;5;".count)),
                let text = parts[2].split(separator: "\u{1b}").first,
                text.contains(where: { $0 != " " })
            else { return nil }
            return Pair(background: background, color: color, text: String(text))
        }
    }

    var contrast: Double {
        Xterm.contrast(Xterm.channels(background), Xterm.channels(color))
    }

    /// Whether it has a ratio, or, where none on this background has it, the highest there is.
    func keeps(_ ratio: Double) -> Bool {
        // Two ways to the same ratio are rounded differently.
        let tolerance = 1e-6
        if contrast >= ratio - tolerance { return true }
        let best = (16..<256).map {
            Xterm.contrast(Xterm.channels(background), Xterm.channels($0))
        }.max()
        return contrast >= (best ?? 21) - tolerance
    }
}

@Suite struct XtermColorsTests {
    /// Backgrounds all over the cube, the reported one among them.
    private static let backgrounds: [RGB8] = {
        var colors = [RGB8(red: 0xDF, green: 0x99, blue: 0x27)]
        for value in stride(from: 0, through: 0xFFFFFF, by: 130_363) {
            colors.append(
                RGB8(
                    red: UInt8(value >> 16), green: UInt8(value >> 8 & 255),
                    blue: UInt8(value & 255)))
        }
        return colors
    }()

    private static func text(
        on background: RGB8, _ ratio: Double
    ) -> (loud: TextColor, quiet: TextColor) {
        let loud = ContrastColor.foreground(on: background, target: ratio)
        let quiet = loud.quieter(on: background, target: ratio)
        func text(_ color: ContrastColor) -> TextColor {
            TextColor(color: color.color, contrast: color.contrast, meets: color.meets)
        }
        return (text(loud), text(quiet))
    }

    private static let facts = ImageFacts(width: 1, height: 1, format: "png", isComplete: true)

    private func colors(_ background: RGB8, _ ratio: Double) -> ColorAnswer.Colors {
        let text = Self.text(on: background, ratio)
        return ColorAnswer.Colors(
            averages: [], background: background, isDark: true, foreground: text.loud,
            secondary: text.quiet)
    }

    @Test(arguments: [1, 3, 4.5, 7, 12, 21])
    func keepsARatioAsFarAsThereIsOne(ratio: Double) {
        for background in Self.backgrounds {
            var wanted: [RGB8] = [background, .black, .white]
            wanted += Self.backgrounds.prefix(40)
            wanted.append(Self.text(on: background, ratio).quiet.color)
            for color in wanted {
                let drawn = TerminalPalette.indexed.cell(
                    "x", on: background, color, reaching: ratio)
                guard let pair = Pair.all(in: drawn).first else {
                    Issue.record("nothing is drawn for \(color.hex) on \(background.hex)")
                    continue
                }
                let real = Xterm.contrast(background.channels, color.channels)
                if pair.keeps(min(ratio, real)) { continue }
                Issue.record("\(color.hex) on \(background.hex): \(pair), \(pair.contrast)")
            }
        }
    }

    @Test func takesTheNearestOfThoseThatKeepIt() {
        for background in Self.backgrounds {
            let color = Self.text(on: background, 4.5).quiet.color
            let drawn = TerminalPalette.indexed.cell("x", on: background, color, reaching: 4.5)
            guard let pair = Pair.all(in: drawn).first else { continue }
            func distance(_ index: Int) -> Double {
                zip(Xterm.channels(index), color.channels).map { ($0 - $1) * ($0 - $1) }
                    .reduce(0, +)
            }
            for other in 16..<256 where distance(other) < distance(pair.color) {
                let ratio = Pair(background: pair.background, color: other, text: "").contrast
                #expect(ratio < 4.5, "\(other) for \(pair)")
            }
        }
    }

    @Test func keepsTheReportedSwatchLegible() {
        let background = RGB8(red: 0xDF, green: 0x99, blue: 0x27)
        let view = ColorView(palette: .indexed)
        let area = ColorAnswer.Area(opacity: 1, colors: colors(background, 4.5))
        let pairs = Pair.all(
            in: view.draw([0x61], ColorAnswer(image: Self.facts, picture: area, regions: [])))
        #expect(pairs.map(\.text).map { $0.prefix(11) } == ["  Primary t", "  Secondary"])
        // The background is still the nearest to what the picture has.
        #expect(Set(pairs.map(\.background)) == [172])
        #expect(pairs.allSatisfy { $0.contrast >= 4.5 }, "\(pairs)")
    }

    @Test(arguments: [4.5, 3])
    func keepsColorsPalettesAndTransitionsLegible(ratio: Double) {
        for background in Self.backgrounds {
            let colors = colors(background, ratio)
            let area = ColorAnswer.Area(opacity: 1, colors: colors)
            let color = ColorAnswer(
                image: Self.facts, picture: area, regions: [.init(name: "part", area: area)])
            let swatch = PaletteAnswer.Swatch(
                color: background, share: 1, foreground: colors.secondary)
            let palette = PaletteAnswer(
                image: Self.facts, opacity: 1, colors: [swatch], accent: swatch)
            let frame = TransitionAnswer.Frame(
                position: 0, background: background, foreground: colors.foreground,
                secondary: colors.secondary)
            let end = TransitionAnswer.End(color: background)
            let transition = TransitionAnswer(
                from: end, to: end, space: "oklab", lowest: ratio, frames: [frame])
            let texts: [String] = [
                color.draw([0x61], on: .indexed, for: ratio),
                palette.draw([0x61], on: .indexed, for: ratio),
                transition.draw("a", on: .indexed, for: ratio),
            ]
            for text in texts {
                let pairs = Pair.all(in: text)
                #expect(!pairs.isEmpty)
                for pair in Set(pairs) where pair.contrast < ratio {
                    Issue.record("\(pair) on \(background.hex): \(pair.contrast)")
                }
            }
        }
    }

    @Test func keepsIndicatorsLegible() {
        for background in Self.backgrounds {
            let four = Self.text(on: background, 4.5)
            // Seven is reached on a strip, by its material.
            guard four.loud.contrast >= 7 else { continue }
            let three = Self.text(on: background, 3).quiet
            let strip = IndicatorAnswer.Strip(
                base: background, isDark: true, material: .init(color: .black, opacity: 0),
                background: background, labels: (four.loud, four.quiet),
                dots: (four.quiet, three))
            let glyph = IndicatorAnswer.Drawing(isTinted: true, reason: "shapeOnly", color: three)
            let answer = IndicatorAnswer(
                image: Self.facts, opacity: 1, strip: strip,
                glyph: .init(image: Self.facts, drawing: glyph))
            let pairs = Pair.all(in: answer.draw([0x61], on: .indexed, for: 4.5))
            #expect(pairs.count == 5)
            for (pair, ratio) in zip(pairs, [7, 4.5, 4.5, 3, 3]) {
                #expect(pair.keeps(ratio), "\(pair) on \(background.hex)")
            }
        }
    }

    @Test func keepsThemesLegible() {
        for background in Self.backgrounds {
            let text = Self.text(on: background, 4.5)
            guard text.loud.contrast >= 9 else { continue }
            let foreground = Self.text(on: background, 7).quiet.color
            let quiet = text.quiet.color
            let names = ["accent", "muted", "error", "success", "warning", "info"]
            let theme = ThemeAnswer.Theme(
                isDark: true, background: background, foreground: foreground, cursor: quiet,
                colors: [background] + Array(repeating: quiet, count: 14) + [foreground],
                roles: names.map { .init(name: $0, color: quiet) }, lowest: 4.5)
            let answer = ThemeAnswer(image: Self.facts, opacity: 1, theme: theme)
            let pairs = Pair.all(in: answer.draw([0x61], on: .indexed, for: 4.5))
            // The foreground's own ratio is for the prompt and for the brightest of the sixteen.
            #expect(pairs.count == 23)
            for (number, pair) in pairs.enumerated() {
                let ratio: Double = number == 1 || number == 22 ? 7 : 4.5
                #expect(pair.keeps(ratio), "\(pair) on \(background.hex)")
            }
        }
    }
}
