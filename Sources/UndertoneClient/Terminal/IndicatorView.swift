internal import GLibSupport
internal import UndertoneColor

/// The strip under a picture as a person sees it: tabs, dots and a glyph, with the figures beside.
struct IndicatorView {
    /// The width of the strip in columns.
    private static let width = 28

    let palette: TerminalPalette

    /// Draws an answer; each line ends with a newline, and an empty one ends the picture.
    func draw(_ name: [UInt8], _ answer: IndicatorAnswer) -> String {
        var lines = [palette.bold(printable(name)), answer.image.summary]
        guard let strip = answer.strip else {
            lines[1] += ", wholly transparent"
            return lines.map { $0 + "\n" }.joined() + "\n"
        }
        let scheme = strip.isDark ? "dark" : "light"
        lines[1] += ", \(scheme), \(strip.background.hex)"
        lines += [
            "base \(strip.base.hex), material \(strip.material.summary)",
            "labels \(strip.labels.active.summary), others \(strip.labels.others.summary)",
            "dots \(strip.dots.current.summary), others \(strip.dots.others.summary)",
        ]
        if let glyph = answer.glyph { lines.append(describe(glyph)) }

        var text = ""
        for (row, line) in lines.enumerated() {
            text += self.row(row, strip, answer.glyph?.drawing) + line + "\n"
        }
        return text + "\n"
    }

    /// One row of the strip, with its distance to what is beside it.
    private func row(
        _ row: Int, _ strip: IndicatorAnswer.Strip, _ glyph: IndicatorAnswer.Drawing?
    ) -> String {
        guard palette != .none else { return "" }
        // The ratios are those that the operation promises.
        let parts: [(text: String, color: TextColor, ratio: Double)] =
            switch row {
            case 1:
                [
                    ("  Photos", strip.labels.active, Material.Target.primary),
                    ("   Albums   Search", strip.labels.others, Material.Target.secondary),
                ]
            case 3:
                [
                    (
                        String(repeating: " ", count: 12) + "●", strip.dots.current,
                        Material.Target.secondary
                    ),
                    (" ● ●", strip.dots.others, Material.Target.dot),
                ]
            case 5:
                glyph.map {
                    [(String(repeating: " ", count: 13) + "◆", $0.color, Material.Target.dot)]
                } ?? []
            default: []
            }
        let width = parts.map(\.text.count).reduce(0, +)
        let rest = String(repeating: " ", count: IndicatorView.width - width)
        return parts.map { part in
            palette.cell(
                part.text, on: strip.background, part.color.color, reaching: part.ratio)
        }.joined()
            + palette.cell(
                rest, on: strip.background, strip.labels.active.color, reaching: 1) + "  "
    }

    private func describe(_ glyph: IndicatorAnswer.Glyph) -> String {
        guard let drawing = glyph.drawing else { return "glyph wholly transparent" }
        let style = drawing.isTinted ? "tinted" : "original"
        return "glyph \(style) \(drawing.color.summary): \(drawing.explanation)"
    }
}

extension IndicatorAnswer.Drawing {
    /// Why, for people: `severalColors` becomes `several colors`.
    var explanation: String { StatusView.words(reason) }
}

extension IndicatorAnswer: PictureAnswer {
    func draw(_ name: [UInt8], on terminal: TerminalPalette, for _: Double) -> String {
        IndicatorView(palette: terminal).draw(name, self)
    }
}
