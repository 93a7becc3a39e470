internal import GLibSupport
internal import UndertoneColor

/// A picture's palette as a person sees it: a bar of shares, and a swatch for each colour.
struct PaletteView {
    /// The widths of a swatch and of the bar in columns.
    private static let (width, barWidth) = (22, 60)

    let palette: TerminalPalette
    /// The ratio that texts were asked to reach.
    let contrast: Double

    /// Draws an answer; each line ends with a newline, and an empty one ends the picture.
    func draw(_ name: [UInt8], _ answer: PaletteAnswer) -> String {
        var facts = answer.image.summary
        if answer.colors.isEmpty { facts += ", wholly transparent" }
        var lines = [palette.bold(printable(name))]
        if palette != .none, !answer.colors.isEmpty { lines.append(bar(answer.colors)) }
        lines.append(facts)
        lines += answer.colors.map { row($0, isAccent: $0.color == answer.accent?.color) }
        if let accent = answer.accent, !answer.colors.contains(where: { $0.color == accent.color })
        {
            lines.append(row(accent, isAccent: true))
        }
        return lines.map { $0 + "\n" }.joined() + "\n"
    }

    /// A line in which each colour takes up its share, the least of them a column at least.
    private func bar(_ colors: [PaletteAnswer.Swatch]) -> String {
        let room = Double(PaletteView.barWidth - colors.count)
        var shares = 0.0
        var column = 0
        return colors.enumerated().map { index, swatch in
            shares += swatch.share
            let end = Int((shares * room).rounded()) + index + 1
            defer { column = end }
            return palette.cell(
                String(repeating: " ", count: end - column), on: swatch.color,
                swatch.foreground.color, reaching: contrast)
        }.joined()
    }

    private func row(_ swatch: PaletteAnswer.Swatch, isAccent: Bool) -> String {
        let mark = isAccent ? "accent" : ""
        let sample = "  \(swatch.color.hex)  \(mark)".padded(to: PaletteView.width)
        let name =
            palette == .none
            ? swatch.color.hex
            : palette.cell(
                sample, on: swatch.color, swatch.foreground.color, reaching: contrast)
        let figures =
            "  \(Figures.percent(swatch.share).aligned(to: 7))  text \(swatch.foreground.summary)"
        return name + figures + (palette == .none && isAccent ? ", accent" : "")
    }
}

extension PaletteAnswer: PictureAnswer {
    func draw(_ name: [UInt8], on terminal: TerminalPalette, for contrast: Double) -> String {
        PaletteView(palette: terminal, contrast: contrast).draw(name, self)
    }
}
