internal import GLibSupport
internal import UndertoneColor

/// The row of a `color` answer: the background with text on it, the averages, the picture itself.
struct ColorCard {
    private let colors: ColorAnswer.Colors

    /// Draws an answer.
    static func row(_ name: [UInt8], _ answer: ColorAnswer) -> CardRow {
        guard let colors = answer.picture.colors else {
            return CardRow(printable(name), answer.image.summary + ", wholly transparent")
        }
        let scheme = colors.isDark ? "dark" : "light"
        var row = CardRow(printable(name), "\(answer.image.summary), \(scheme)")
        row.append(ColorCard(colors: colors).drawing, height: 132)
        for region in answer.regions {
            row.append(strip(region), height: 36)
        }
        return row
    }

    private var drawing: SVG {
        var svg = SVG()
        svg.rectangle(0, 0, 300, 132, colors.background, radius: 12, border: Card.Paper.edge)
        let main = colors.foreground
        svg.write("Primary text", 20, 40, main.color, .init(size: 22))
        svg.write(main.summary, 20, 60, main.color, .init(size: 12, isMonospaced: true))
        let quiet = colors.secondary
        svg.write("Secondary text", 20, 92, quiet.color, .init(size: 17))
        svg.write(quiet.summary, 20, 112, quiet.color, .init(size: 12, isMonospaced: true))
        svg.write(
            colors.background.hex, 280, 26, main.color,
            .init(size: 12, isMonospaced: true, anchor: .end))

        for (index, average) in colors.averages.prefix(4).enumerated() {
            let y = Double(index) * 35
            svg.rectangle(320, y, 27, 27, average.color, radius: 7, border: Card.Paper.edge)
            svg.write(average.name, 356, y + 11, Card.Paper.pencil, .init(size: 11))
            svg.write(
                average.color.hex, 356, y + 25, Card.Paper.ink,
                .init(size: 12, isMonospaced: true))
        }
        if let over = colors.overImage { draw(over, &svg) }
        return svg
    }

    /// Tells of text on the picture itself, which this program does not see.
    private func draw(_ over: ColorAnswer.OverImage, _ svg: inout SVG) {
        let x = 460.0
        let figures = SVG.Style(size: 12, isMonospaced: true)
        svg.write("Text on the picture itself", x, 11, Card.Paper.pencil, .init(size: 11))
        svg.write(over.text.summary, x, 29, Card.Paper.ink, figures)
        svg.write(
            "legible on \(Figures.down(over.coverage * 100)) % of it", x, 47, Card.Paper.ink,
            .init(size: 12))
        guard over.scrim.opacity > 0 else {
            return svg.write("as it is, everywhere", x, 84, Card.Paper.ink, .init(size: 12))
        }
        svg.write("Everywhere over a scrim of", x, 81, Card.Paper.pencil, .init(size: 11))
        svg.rectangle(x, 89, 27, 27, over.scrim.color, radius: 7, border: Card.Paper.edge)
        svg.write(over.scrim.summary, x + 36, 107, Card.Paper.ink, figures)
    }

    private static func strip(_ region: ColorAnswer.Region) -> SVG {
        var svg = SVG()
        let name = printable(region.name)
        guard let colors = region.area.colors else {
            svg.rectangle(
                0, 0, Card.rowWidth, 36, Card.Paper.sheet, radius: 9, border: Card.Paper.edge)
            svg.write(
                "\(name): wholly transparent", 20, 23, Card.Paper.pencil, .init(size: 13))
            return svg
        }
        svg.rectangle(
            0, 0, Card.rowWidth, 36, colors.background, radius: 9, border: Card.Paper.edge)
        svg.write(name, 20, 23, colors.foreground.color, .init(size: 14))
        svg.write(
            "\(colors.background.hex), text \(colors.foreground.summary), \(colors.secondary.summary)",
            Card.rowWidth - 20, 23, colors.secondary.color,
            .init(size: 12, isMonospaced: true, anchor: .end))
        return svg
    }
}

extension ColorAnswer {
    func row(_ name: [UInt8]) -> CardRow { ColorCard.row(name, self) }
}
