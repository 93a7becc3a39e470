import Testing

@testable import UndertoneClient

@Suite struct ColorViewTests {
    private func answer(_ reply: String = sampleReply) throws -> ColorAnswer {
        try ColorAnswer(JSONDocument.result(of: Array(reply.utf8)))
    }

    @Test func tellsEverythingWithoutColors() throws {
        let view = ColorView(palette: .none)
        #expect(
            view.draw(Array("a\u{1b}.jpg".utf8), try answer()) == """
                a\\x1b.jpg
                4000 × 6000 jpeg, dark, #7f6a52
                text #ffffff 5.13:1, secondary #f2f0ed 4.49:1 (too low)
                simple     #7f6a52   squareRoot #8c7660
                linear     #88725b   oklab      #7c6850
                top: #000102, text #ffffff 20.90:1, #ffffff 20.90:1
                gone: wholly transparent


                """)
    }

    @Test func putsTextOnTheBackground() throws {
        let lines = ColorView(palette: .trueColor).draw(Array("a.jpg".utf8), try answer())
            .split(separator: "\n", omittingEmptySubsequences: false)
        let swatch = "\u{1b}[48;2;127;106;82m"
        #expect(
            lines[0].hasPrefix(
                swatch + "\u{1b}[38;2;255;255;255m" + String(repeating: " ", count: 22)))
        #expect(lines[1].hasPrefix(swatch + "\u{1b}[38;2;255;255;255m  Primary text"))
        #expect(lines[2].hasPrefix(swatch + "\u{1b}[38;2;242;240;237m  Secondary text"))
        #expect(lines[3].contains("\u{1b}[38;2;140;118;96m██\u{1b}[0m squareRoot #8c7660"))
        #expect(lines[5].hasPrefix("\u{1b}[48;2;0;1;2m\u{1b}[38;2;255;255;255m  top "))
        // Whatever a line starts it ends: the next one is plain again.
        for line in lines {
            let sequences = line.split(separator: "\u{1b}").dropFirst()
            #expect(sequences.last.map { $0.hasPrefix("[0m") } ?? true, "\(line)")
        }
    }

    @Test func saysWhatIsUnusual() throws {
        let reply = sampleReply.replacing("\"complete\":true", with: "\"complete\":false")
            .replacing("\"opacity\":1,", with: "\"opacity\":0.999,")
        let text = ColorView(palette: .none).draw([0x61], try answer(reply))
        #expect(text.contains(", incomplete"))
        #expect(text.contains("opacity 0.99\n"))
    }

    @Test func drawsWhatCannotBeSeen() throws {
        let reply = #"""
            {"result":{"image":{"width":2,"height":1,"format":"png"},"opacity":0,"average":null}}
            """#
        #expect(
            ColorView(palette: .none).draw([0xFF], try answer(reply)) == """
                \\xff
                2 × 1 png, wholly transparent


                """)
        #expect(!ColorView(palette: .trueColor).draw([0x61], try answer(reply)).contains("[48"))
    }
}
