import Testing

@testable import UndertoneClient

@Suite struct AnswerViewTests {
    private let name = Array("a\u{1b}.png".utf8)

    private func draw<Answer: PictureAnswer>(
        _ reply: String, as: Answer.Type, on terminal: TerminalPalette
    ) throws -> String {
        try SampleReplies.answer(reply, as: Answer.self).draw(name, on: terminal, for: 4.5)
    }

    private func transition(_ reply: String = SampleReplies.transition) throws -> TransitionAnswer {
        try TransitionAnswer(JSONDocument.result(of: Array(reply.utf8)))
    }

    @Test func tellsPalettesWithoutColors() throws {
        #expect(
            try draw(SampleReplies.palette, as: PaletteAnswer.self, on: .none) == """
                a\\x1b.png
                40 × 30 png
                #9ab3d0   75.0 %  text #000000 9.73:1
                #402010   25.0 %  text #ffffff 14.60:1
                #c81414   <0.1 %  text #ffffff 5.89:1 (too low), accent


                """)
        let accent = SampleReplies.palette.replacing(
            ##""accent":{"color":"#c81414""##, with: ##""accent":{"color":"#c81415""##)
        let text = try draw(accent, as: PaletteAnswer.self, on: .none)
        #expect(text.contains("#c81414   <0.1 %  text #ffffff 5.89:1 (too low)\n#c81415"))
    }

    @Test func drawsSharesAsABar() throws {
        let lines = try draw(SampleReplies.palette, as: PaletteAnswer.self, on: .trueColor)
            .split(separator: "\n", omittingEmptySubsequences: false)
        // Sixty columns: one for each colour, the other 57 by share.
        let widths = lines[1].split(separator: "\u{1b}[0m").map { $0.count { $0 == " " } }
        #expect(widths == [44, 15, 1])
        #expect(lines[1].hasPrefix("\u{1b}[48;2;154;179;208m"))
        #expect(lines[3].hasPrefix("\u{1b}[48;2;154;179;208m\u{1b}[38;2;0;0;0m  #9ab3d0  "))
        #expect(lines[5].contains("\u{1b}[38;2;255;255;255m  #c81414  accent"))
    }

    @Test func tellsIndicatorsWithoutColors() throws {
        #expect(
            try draw(SampleReplies.indicator, as: IndicatorAnswer.self, on: .none) == """
                a\\x1b.png
                40 × 30 png, dark, #5b6a7b
                base #9ab3d0, material #000000 0.41
                labels #ffffff 7.01:1, others #c8cdd3 4.50:1
                dots #c8cdd4 4.51:1, others #a0a8b2 3.00:1
                glyph tinted #fffffe 7.00:1: too little contrast


                """)
    }

    @Test func drawsTabsAndDotsOnTheStrip() throws {
        let lines = try draw(SampleReplies.indicator, as: IndicatorAnswer.self, on: .trueColor)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let strip = "\u{1b}[48;2;91;106;123m"
        #expect(lines[1].hasPrefix(strip + "\u{1b}[38;2;255;255;255m  Photos"))
        #expect(lines[1].contains("\u{1b}[38;2;200;205;211m   Albums   Search"))
        #expect(lines[3].contains("\u{1b}[38;2;200;205;212m            ●"))
        #expect(lines[3].contains("\u{1b}[38;2;160;168;178m ● ●"))
        #expect(lines[5].contains("\u{1b}[38;2;255;255;254m             ◆"))
        // Each row is as wide as the others, before the two blanks and the figures beside it.
        for line in lines.prefix(6) {
            let cells = line.split(separator: "\u{1b}").filter { $0.hasPrefix("[38") }
            let columns = cells.map { $0.drop { $0 != "m" }.count - 1 }.reduce(0, +)
            #expect(columns == 28, "\(line)")
        }
    }

    @Test func tellsTransitionsWithoutColors() throws {
        #expect(
            try transition().draw("#000000 → b.png", on: .none, for: 4.5) == """
                #000000 → b.png
                #000000 to #ffffff in oklab, 3 frames
                text changes at 0.46, never below 5.20:1


                """)
        let still = SampleReplies.transition.replacing(#""flip":0.46"#, with: #""flip":null"#)
        #expect(
            try transition(still).draw("x", on: .none, for: 4.5)
                .contains("\ntext stays as it is, never"))
    }

    @Test func writesEachLetterOnItsFrame() throws {
        let line = try transition().draw("x", on: .trueColor, for: 4.5).split(separator: "\n")[1]
        // Sixty letters: half of them on the first frame, half on the second, one on the last.
        let letters = line.split(separator: "\u{1b}[48;2;")
        #expect(letters.count == 60)
        #expect(letters.count { $0.hasPrefix("0;0;0m\u{1b}[38;2;255;255;255m") } == 30)
        #expect(letters.count { $0.hasPrefix("99;99;99m\u{1b}[38;2;255;255;254m") } == 29)
        #expect(letters.last?.hasPrefix("255;255;255m\u{1b}[38;2;0;0;0m") == true)
        #expect(letters.last?.hasSuffix("\u{1b}[0m") == true)
    }

    @Test func tellsThemesWithoutColors() throws {
        let text = try draw(SampleReplies.theme, as: ThemeAnswer.self, on: .none)
        #expect(text.hasPrefix("a\\x1b.png\n40 × 30 png, light, text 4.53:1 or more\naccent "))
        #expect(
            text.contains("\ncolor4  #400000  color5  #500000  color6  #600000  color7  #700000\n"))
        #expect(text.contains("\naccent  #000000  surface #000010  muted   #000020  border"))
        #expect(text.hasSuffix("\nbackground #000000  foreground #f00000  cursor     #00ff00\n\n"))
    }

    @Test func showsAThemesTextOnItsBackground() throws {
        let lines = try draw(SampleReplies.theme, as: ThemeAnswer.self, on: .trueColor)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let on = "\u{1b}[48;2;0;0;0m\u{1b}[38;2;"
        #expect(lines[4].contains(on + "0;0;64merror  "))
        #expect(lines[4].contains(on + "0;0;32mmuted  "))
        #expect(lines[5].contains(on + "16;0;0mred  "))
        #expect(lines[5].contains(on + "112;0;0mwhite  "))
        #expect(lines[6].contains(on + "144;0;0mred  "))
        #expect(lines[6].contains(on + "240;0;0mwhite  "))
    }

    @Test func tellsWhatCannotBeSeen() throws {
        let palette = SampleReplies.invisible(#""colors":[],"accent":null"#)
        let nothing = "a\\x1b.png\n40 × 30 png, wholly transparent\n\n"
        #expect(try draw(palette, as: PaletteAnswer.self, on: .none) == nothing)
        let others = SampleReplies.invisible(#""background":null"#)
        #expect(try draw(others, as: IndicatorAnswer.self, on: .none) == nothing)
        #expect(try draw(others, as: ThemeAnswer.self, on: .none) == nothing)
        #expect(!(try draw(others, as: ThemeAnswer.self, on: .trueColor).contains("[48")))
        let transition = try TransitionAnswer(
            JSONDocument(
                parsing: Array(
                    #"{"from":{"color":null},"to":{"color":null},"space":"srgb","frames":[]}"#.utf8)
            ))
        #expect(
            transition.draw("x", on: .trueColor, for: 4.5).hasSuffix("\nwholly transparent\n\n"))
    }

    @Test(arguments: [
        (4.499999, "4.49", "4.50"), (4.6, "4.60", "4.60"), (21, "21.00", "21.00"),
        (0.07, "0.07", "0.07"), (0, "0.00", "0.00"), (0.290197, "0.29", "0.30"),
    ])
    func roundsNeitherToWhatIsNotReachedNorBelowWhatIsNeeded(
        value: Double, down: String, up: String
    ) {
        #expect(Figures.down(value) == down)
        #expect(Figures.up(value) == up)
    }

    @Test(arguments: [
        (1, "100.0 %"), (0, "0.0 %"), (0.0004, "<0.1 %"), (0.125, "12.5 %"), (0.0996, "10.0 %"),
    ])
    func tellsShares(share: Double, text: String) {
        #expect(Figures.percent(share) == text)
    }
}
