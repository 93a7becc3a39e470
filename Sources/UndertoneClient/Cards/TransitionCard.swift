internal import UndertoneColor

/// The row of a `transition` answer: a band of its frames with text along it.
enum TransitionCard {
    /// What is written on the band, in the colours for text and for less important text.
    private static let samples = [
        Sample(text: "Text that can be read on each frame", size: 24, pitch: 17, baseline: 45),
        Sample(
            text: "and less important text, as quiet as the contrast asked for allows", size: 14,
            pitch: 9.2, baseline: 74),
    ]

    /// A line on the band; its letters stand apart by `pitch`, so that each is on one frame.
    private struct Sample {
        var text: String
        var size, pitch, baseline: Double
    }

    /// Draws an answer.
    static func row(_ title: String, _ answer: TransitionAnswer) -> CardRow {
        guard let lowest = answer.lowest, !answer.frames.isEmpty else {
            return CardRow(title, "wholly transparent")
        }
        var row = CardRow(title, "never below \(Figures.ratio(lowest))")
        row.append(band(answer.frames), height: 96)
        row.append(scale(answer), height: 14)
        return row
    }

    private static func band(_ frames: [TransitionAnswer.Frame]) -> SVG {
        var svg = SVG()
        let width = Card.rowWidth / Double(frames.count)
        for (index, frame) in frames.enumerated() {
            // To the end each time, under the next one: no gap shines through.
            let x = Double(index) * width
            svg.rectangle(x, 0, Card.rowWidth - x, 96, frame.background)
        }
        for (row, sample) in samples.enumerated() {
            let letters = sample.text.enumerated().map { index, letter in
                let x = 32 + Double(index) * sample.pitch
                let frame = frames[min(Int(x / width), frames.count - 1)]
                let text = row == 0 ? frame.foreground : frame.secondary
                return (letter: letter, x: x, color: text.color)
            }
            svg.write(
                letters.filter { $0.letter != " " }, sample.baseline,
                .init(size: sample.size, isMonospaced: true, anchor: .middle))
        }
        return svg
    }

    /// What it is, between the two ends.
    private static func scale(_ answer: TransitionAnswer) -> SVG {
        var svg = SVG()
        func write(_ text: String, _ x: Double, _ anchor: SVG.Style.Anchor) {
            svg.write(
                text, x, 10, Card.Paper.ink, .init(size: 12, isMonospaced: true, anchor: anchor))
        }
        write(answer.from.color?.hex ?? "", 0, .start)
        write(answer.to.color?.hex ?? "", Card.rowWidth, .end)
        let facts = "\(answer.frames.count) frames in \(answer.space)"
        let flip = answer.flip.map { ", text changes at \(Figures.down($0))" } ?? ""
        write(facts + flip, Card.rowWidth / 2, .middle)
        return svg
    }
}

extension TransitionAnswer {
    /// Draws it on a card.
    func row(_ title: String) -> CardRow { TransitionCard.row(title, self) }
}
