internal import GLibSupport
internal import UndertoneColor

/// A transition as a person sees it: a band of its frames with text along it.
struct TransitionView {
    /// The band's width in columns.
    private static let width = 60
    /// What is written on the band, in the colours for text and for less important text.
    private static let samples = [
        "  Text that can be read on each of the frames, to the last",
        "  and less important text beside it",
    ]

    let palette: TerminalPalette
    /// The ratio that texts were asked to reach.
    let contrast: Double

    /// Draws an answer; each line ends with a newline, and an empty one ends it.
    func draw(_ title: String, _ answer: TransitionAnswer) -> String {
        var lines = [palette.bold(title)]
        guard let lowest = answer.lowest, let from = answer.from.color, let to = answer.to.color
        else { return lines[0] + "\nwholly transparent\n\n" }
        if palette != .none { lines += band(answer.frames) }
        lines += [
            "\(from.hex) to \(to.hex) in \(printable(answer.space)), \(answer.frames.count) frames",
            (answer.flip.map { "text changes at \(Figures.down($0)), " } ?? "text stays as it is, ")
                + "never below \(Figures.ratio(lowest))",
        ]
        return lines.map { $0 + "\n" }.joined() + "\n"
    }

    private func band(_ frames: [TransitionAnswer.Frame]) -> [String] {
        guard !frames.isEmpty else { return [] }
        return TransitionView.samples.enumerated().map { row, sample in
            let letters = Array(sample.padded(to: TransitionView.width))
            return letters.enumerated().map { column, letter in
                let frame = frames[column * (frames.count - 1) / (TransitionView.width - 1)]
                let text = row == 0 ? frame.foreground : frame.secondary
                return palette.cell(
                    String(letter), on: frame.background, text.color, reaching: contrast,
                    ends: false)
            }.joined() + palette.reset
        }
    }
}

extension TransitionAnswer {
    /// Draws it on a terminal.
    func draw(_ title: String, on terminal: TerminalPalette, for contrast: Double) -> String {
        TransitionView(palette: terminal, contrast: contrast).draw(title, self)
    }
}
