internal import GLibSupport
internal import UndertoneColor

/// A theme as a person sees it: a piece of a terminal that has it, and its colours.
struct ThemeView {
    /// The width of the piece in columns.
    private static let width = 60

    let palette: TerminalPalette

    /// Draws an answer; each line ends with a newline, and an empty one ends the picture.
    func draw(_ name: [UInt8], _ answer: ThemeAnswer) -> String {
        var lines = [palette.bold(printable(name)), answer.image.summary]
        if let theme = answer.theme {
            lines[1] +=
                ", \(theme.isDark ? "dark" : "light"), text \(Figures.ratio(theme.lowest)) or more"
            if palette != .none { lines += terminal(theme) }
            lines += figures(theme)
        } else {
            lines[1] += ", wholly transparent"
        }
        return lines.map { $0 + "\n" }.joined() + "\n"
    }

    /// A few lines of a terminal in these colours.
    private func terminal(_ theme: ThemeAnswer.Theme) -> [String] {
        func role(_ name: String) -> RGB8 { theme.role(name) ?? theme.foreground }
        func names(_ range: Range<Int>) -> [(String, RGB8)] {
            let names = ["red", "green", "yellow", "blue", "magenta", "cyan", "white"]
            return zip(names, theme.colors[range]).map { ($0 + "  ", $1) }
        }
        return [
            [],
            [
                ("❯ ", role("accent")), ("undertone theme ", theme.foreground),
                ("-j", role("muted")),
            ],
            ["error", "success", "warning", "info", "accent", "muted"].map {
                ($0 + "  ", role($0))
            },
            names(1..<8), names(9..<16), [],
        ].map { parts in row(parts, theme) }
    }

    private func row(_ parts: [(String, RGB8)], _ theme: ThemeAnswer.Theme) -> String {
        let width = parts.map(\.0.count).reduce(2, +)
        let rest = String(repeating: " ", count: ThemeView.width - width)
        let cells = [("  ", theme.foreground)] + parts + [(rest, theme.foreground)]
        return cells.map { text, color in
            // More than that was promised of the foreground alone.
            let ratio = color == theme.foreground ? Theme.foregroundRatio : Theme.textRatio
            return palette.cell(text, on: theme.background, color, reaching: ratio)
        }.joined()
    }

    /// All colours by name, four a line.
    private func figures(_ theme: ThemeAnswer.Theme) -> [String] {
        let main = [
            ("background", theme.background), ("foreground", theme.foreground),
            ("cursor", theme.cursor),
        ]
        let numbered = theme.colors.enumerated().map { ("color\($0)", $1) }
        let roles = theme.roles.map { (printable($0.name), $0.color) }
        return [roles, numbered, main].flatMap { group in
            let width = (group.map(\.0.count).max() ?? 0) + 1
            return palette.columns(
                group.map { ($0.1, $0.0.padded(to: width) + $0.1.hex) }, by: 4, gap: "  ")
        }
    }
}

extension ThemeAnswer: PictureAnswer {
    func draw(_ name: [UInt8], on terminal: TerminalPalette, for _: Double) -> String {
        ThemeView(palette: terminal).draw(name, self)
    }
}
