import GLibSupport
import Testing

@testable import UndertoneClient

@Suite struct CardTests {
    private func svg(_ rows: CardRow...) -> String {
        var card = Card()
        for row in rows { card.append(row) }
        return card.svg
    }

    private func row<Answer: PictureAnswer>(_ reply: String, as: Answer.Type) throws -> CardRow {
        try SampleReplies.answer(reply, as: Answer.self).row(Array("a.png".utf8))
    }

    @Test func setsEachTextInItsForeground() throws {
        let palette = svg(try row(SampleReplies.palette, as: PaletteAnswer.self))
        #expect(palette.contains(##"rx="10" fill="#9ab3d0""##))
        #expect(
            palette.contains(##"font-weight="600" text-anchor="middle" fill="#000000">75.0 %<"##))
        #expect(palette.contains(##"class="m" text-anchor="middle" fill="#ffffff">#402010<"##))
        #expect(
            palette.contains(##"font-weight="600" text-anchor="middle" fill="#ffffff">accent<"##))

        let color = svg(try row(sampleReply, as: ColorAnswer.self))
        #expect(color.contains(##"fill="#ffffff">Primary text<"##))
        #expect(color.contains(##"fill="#f2f0ed">Secondary text<"##))
        #expect(color.contains(">#f2f0ed 4.49:1 (too low)<"))
        #expect(color.contains(">gone: wholly transparent<"))

        let indicator = svg(try row(SampleReplies.indicator, as: IndicatorAnswer.self))
        #expect(indicator.contains(##"fill="#c8cdd3">Search<"##))
        #expect(indicator.components(of: ##"r="5" fill="#c8cdd4""##) == 1)
        #expect(indicator.components(of: ##"r="5" fill="#a0a8b2""##) == 4)
        #expect(indicator.contains(##"fill="#fffffe">◆<"##))

        let theme = svg(try row(SampleReplies.theme, as: ThemeAnswer.self))
        #expect(theme.contains(##"class="m" fill="#000040">error  <"##))
        #expect(theme.contains(##"text-anchor="middle" fill="#000000">#c00000<"##))
    }

    @Test func drawsEachFrameAndEachLetterOnIt() throws {
        let reply = Array(SampleReplies.transition.utf8)
        let answer = try TransitionAnswer(JSONDocument.result(of: reply))
        let card = svg(answer.row("#000000 → b&<.png"))
        // From 0, 224 and 448 to the end at 672.
        #expect(card.contains(##"<rect x="0" y="0" width="672" height="96" fill="#000000"/>"##))
        #expect(card.contains(##"<rect x="224" y="0" width="448" height="96" fill="#636363"/>"##))
        #expect(card.contains(##"<rect x="448" y="0" width="224" height="96" fill="#ffffff"/>"##))
        // The letters of the first line: 28, of which those between 224 and 448 are on the second.
        let main = card.split(separator: "\n").filter { $0.contains(#"y="45""#) }
        #expect(main.count == 28)
        for line in main {
            let x = Double(line.split(separator: "\"")[1]) ?? -1
            let color = x < 224 ? "#ffffff" : x < 448 ? "#fffffe" : "#000000"
            #expect(line.contains("fill=\"\(color)\""), "\(line)")
        }
        #expect(card.contains(">#000000 → b&amp;&lt;.png<"))
        #expect(card.contains(", text changes at 0.46<"))
    }

    @Test func putsPicturesBelowEachOther() throws {
        let first = try row(SampleReplies.palette, as: PaletteAnswer.self)
        let second = CardRow([0x62, 0xFF], refusal: ReplyError(code: "not_found", message: "x"))
        let card = svg(first, second)
        let height = 24 + first.height + 28 + second.height + 24
        #expect(card.contains("viewBox=\"0 0 720 \(Int(height))\""))
        #expect(card.contains("translate(24 24)"))
        #expect(card.contains("translate(24 \(Int(24 + first.height + 28)))"))
        #expect(card.contains("<title>a.png, b\\xff</title>"))
        #expect(card.contains(">not_found<"))
        #expect(svg().contains("viewBox=\"0 0 720 48\""))
    }

    @Test func holdsWhateverANameHolds() {
        let name = Array("<b>&\"\u{0}\u{fffe}\u{1b}\u{85}".utf8) + [0xFF]
        let card = svg(CardRow(printable(name), "x"))
        #expect(card.contains(##">&lt;b&gt;&amp;"\x00\u{fffe}\x1b\x85\xff<"##))
        let long = String(repeating: "a/", count: 100) + "end.png"
        let shown = svg(CardRow(long, ""))
        #expect(shown.contains(">…"))
        #expect(shown.contains("end.png</text>"))
        #expect(shown.contains("<title>\(long)</title>"))
    }

    @Test func tellsWhatCannotBeSeen() throws {
        let nothing = SampleReplies.invisible(#""background":null,"colors":[],"average":null"#)
        for row in [
            try row(nothing, as: PaletteAnswer.self), try row(nothing, as: ThemeAnswer.self),
            try row(nothing, as: IndicatorAnswer.self), try row(nothing, as: ColorAnswer.self),
        ] {
            #expect(row.drawing.text.contains("wholly transparent"))
            #expect(row.height == 20)
        }
    }
}

extension String {
    /// How often a text is in this one.
    fileprivate func components(of text: String) -> Int {
        ranges(of: text).count
    }
}
