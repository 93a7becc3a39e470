internal import GLibSupport
internal import UndertoneColor

/// The row of a `theme` answer: a terminal that has it, with all colours and roles.
struct ThemeCard {
    private let theme: ThemeAnswer.Theme

    /// Draws an answer.
    static func row(_ name: [UInt8], _ answer: ThemeAnswer) -> CardRow {
        guard let theme = answer.theme else {
            return CardRow(printable(name), answer.image.summary + ", wholly transparent")
        }
        let facts = "\(answer.image.summary), \(theme.isDark ? "dark" : "light"), text"
        var row = CardRow(printable(name), "\(facts) \(Figures.ratio(theme.lowest)) or more")
        row.append(ThemeCard(theme: theme).drawing, height: 262)
        return row
    }

    private func role(_ name: String) -> RGB8 { theme.role(name) ?? theme.foreground }

    private var drawing: SVG {
        var svg = SVG()
        svg.rectangle(
            0, 0, Card.rowWidth, 262, theme.background, radius: 12, border: role("border"))
        write([("❯ ", role("accent")), ("undertone theme ", theme.foreground)], 34, &svg)
        svg.rectangle(20 + 18 * 8.43, 21, 9, 18, theme.cursor)
        write(
            ["error", "success", "warning", "info", "accent", "muted"].map {
                ($0 + "  ", role($0))
            },
            60, &svg)
        surface(&svg)
        for index in theme.colors.indices { swatch(index, &svg) }
        return svg
    }

    /// Writes parts of a line, each in its colour.
    private func write(_ parts: [(String, RGB8)], _ y: Double, _ svg: inout SVG) {
        var column = 0
        for (text, color) in parts {
            // A column is 0.602 of the letters' height in the monospaced fonts there are.
            svg.write(
                text, 20 + Double(column) * 8.43, y, color, .init(size: 14, isMonospaced: true))
            column += text.count
        }
    }

    /// A panel on the background, as a dialog is one.
    private func surface(_ svg: inout SVG) {
        svg.rectangle(
            20, 78, Card.rowWidth - 40, 52, role("surface"), radius: 8, border: role("border"))
        svg.write("Surface", 36, 109, theme.foreground, .init(size: 15))
        svg.write(
            "\(role("surface").hex), border \(role("border").hex)", 110, 109, theme.foreground,
            .init(size: 12, isMonospaced: true))
        svg.write(
            "background \(theme.background.hex)  text \(theme.foreground.hex)", Card.rowWidth - 36,
            109, theme.foreground, .init(size: 12, isMonospaced: true, anchor: .end))
    }

    /// One of the sixteen colours, with its own number and name on it in the background's.
    private func swatch(_ index: Int, _ svg: inout SVG) {
        let width = (Card.rowWidth - 40 + 8) / 8 - 8
        let x = 20 + Double(index % 8) * (width + 8)
        let y = 146 + Double(index / 8) * 52
        let color = theme.colors[index]
        let text = index == 0 ? theme.foreground : theme.background
        svg.rectangle(x, y, width, 44, color, radius: 8, border: index == 0 ? role("border") : nil)
        svg.write(
            "\(index)", x + width / 2, y + 19, text, .init(size: 13, isBold: true, anchor: .middle))
        svg.write(
            color.hex, x + width / 2, y + 35, text,
            .init(size: 11, isMonospaced: true, anchor: .middle))
    }
}

extension ThemeAnswer {
    func row(_ name: [UInt8]) -> CardRow { ThemeCard.row(name, self) }
}
