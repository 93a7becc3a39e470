internal import GLibSupport
internal import UndertoneColor

/// The row of an `indicator` answer: the strip with tabs, dots and the glyph, and what it is made
/// of.
enum IndicatorCard {
    /// Draws an answer.
    static func row(_ name: [UInt8], _ answer: IndicatorAnswer) -> CardRow {
        guard let strip = answer.strip else {
            return CardRow(printable(name), answer.image.summary + ", wholly transparent")
        }
        let scheme = strip.isDark ? "dark" : "light"
        var row = CardRow(printable(name), "\(answer.image.summary), \(scheme)")
        row.append(draw(strip, answer.glyph?.drawing), height: 96)
        row.append(figures(strip, answer.glyph), height: answer.glyph == nil ? 34 : 60)
        return row
    }

    private static func draw(
        _ strip: IndicatorAnswer.Strip, _ glyph: IndicatorAnswer.Drawing?
    ) -> SVG {
        var svg = SVG()
        let width = Card.rowWidth
        svg.rectangle(0, 0, width, 96, strip.background, radius: 12, border: Card.Paper.edge)
        let middle = width / 2
        for (index, tab) in ["Photos", "Albums", "Search"].enumerated() {
            let x = middle + Double(index - 1) * 150
            let text = index == 0 ? strip.labels.active : strip.labels.others
            svg.write(
                tab, x, 38, text.color,
                .init(size: 20, isBold: index == 0, anchor: .middle))
            svg.write(
                Figures.ratio(text.contrast), x, 56, text.color,
                .init(size: 11, isMonospaced: true, anchor: .middle))
        }
        for index in 0..<5 {
            let dot = index == 1 ? strip.dots.current : strip.dots.others
            svg.disc(middle + Double(index - 2) * 18, 77, radius: 5, dot.color)
        }
        if let glyph {
            svg.write("◆", width - 48, 50, glyph.color.color, .init(size: 34, anchor: .middle))
            svg.write(
                Figures.ratio(glyph.color.contrast), width - 48, 72, glyph.color.color,
                .init(size: 11, isMonospaced: true, anchor: .middle))
        }
        return svg
    }

    private static func figures(
        _ strip: IndicatorAnswer.Strip, _ glyph: IndicatorAnswer.Glyph?
    ) -> SVG {
        var svg = SVG()
        let parts: [(String, String, RGB8)] = [
            ("average", strip.base.hex, strip.base),
            ("material", strip.material.summary, strip.material.color),
            ("strip", strip.background.hex, strip.background),
            (
                "dots",
                "\(Figures.ratio(strip.dots.current.contrast)) and "
                    + Figures.ratio(strip.dots.others.contrast), strip.dots.current.color
            ),
        ]
        for (index, part) in parts.enumerated() {
            let x = Double(index) * Card.rowWidth / 4
            svg.rectangle(x, 0, 27, 27, part.2, radius: 7, border: Card.Paper.edge)
            svg.write(part.0, x + 36, 11, Card.Paper.pencil, .init(size: 11))
            svg.write(
                part.1, x + 36, 25, Card.Paper.ink, .init(size: 12, isMonospaced: true))
        }
        if let glyph {
            let text =
                glyph.drawing.map { drawing in
                    (drawing.isTinted ? "tinted" : "in its own colors")
                        + " (\(drawing.explanation)), \(drawing.color.summary)"
                }
                ?? "wholly transparent"
            svg.write("Glyph: \(text)", 0, 54, Card.Paper.ink, .init(size: 12))
        }
        return svg
    }
}

extension IndicatorAnswer {
    func row(_ name: [UInt8]) -> CardRow { IndicatorCard.row(name, self) }
}
