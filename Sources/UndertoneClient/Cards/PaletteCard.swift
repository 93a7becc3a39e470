internal import GLibSupport
internal import UndertoneColor

/// The row of a `palette` answer: a bar of shares, and a swatch for each colour.
enum PaletteCard {
    /// How many swatches stand beside each other, how high they are, and the space between them.
    private static let (columns, height, gap) = (8, 74.0, 8.0)

    /// Draws an answer.
    static func row(_ name: [UInt8], _ answer: PaletteAnswer) -> CardRow {
        guard !answer.colors.isEmpty else {
            return CardRow(printable(name), answer.image.summary + ", wholly transparent")
        }
        var row = CardRow(printable(name), answer.image.summary)
        row.append(bar(answer.colors), height: 22)
        var swatches = answer.colors
        if let accent = answer.accent, !swatches.contains(where: { $0.color == accent.color }) {
            swatches.append(accent)
        }
        let lines = (swatches.count + columns - 1) / columns
        row.append(
            draw(swatches, answer.accent), height: Double(lines) * (height + gap) - gap)
        return row
    }

    /// A bar in which each colour takes up its share.
    private static func bar(_ colors: [PaletteAnswer.Swatch]) -> SVG {
        var svg = SVG()
        var left = 0.0
        for swatch in colors {
            // To the end each time, under the next one: no gap shines through.
            svg.rectangle(left, 0, Card.rowWidth - left, 22, swatch.color)
            left += swatch.share * Card.rowWidth
        }
        return svg
    }

    private static func draw(
        _ swatches: [PaletteAnswer.Swatch], _ accent: PaletteAnswer.Swatch?
    ) -> SVG {
        var svg = SVG()
        let width = (Card.rowWidth + gap) / Double(columns) - gap
        for (index, swatch) in swatches.enumerated() {
            let x = Double(index % columns) * (width + gap)
            let y = Double(index / columns) * (height + gap)
            let color = swatch.foreground.color
            svg.rectangle(x, y, width, height, swatch.color, radius: 10, border: Card.Paper.edge)
            let center = x + width / 2
            svg.write(
                Figures.percent(swatch.share), center, y + 24, color,
                .init(size: 14, isBold: true, anchor: .middle))
            svg.write(
                swatch.color.hex, center, y + 43, color,
                .init(size: 11, isMonospaced: true, anchor: .middle))
            let note =
                swatch.color == accent?.color
                ? "accent" : Figures.ratio(swatch.foreground.contrast)
            svg.write(
                note, center, y + 61, color,
                .init(size: 11, isBold: swatch.color == accent?.color, anchor: .middle))
        }
        return svg
    }
}

extension PaletteAnswer {
    func row(_ name: [UInt8]) -> CardRow { PaletteCard.row(name, self) }
}
