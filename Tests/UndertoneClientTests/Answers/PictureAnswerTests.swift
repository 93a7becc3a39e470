import Testing
import UndertoneColor

@testable import UndertoneClient

@Suite struct PictureAnswerTests {
    private let image = ImageFacts(width: 40, height: 30, format: "png", isComplete: true)

    @Test func takesAPaletteApart() throws {
        let answer: PaletteAnswer = try SampleReplies.answer(SampleReplies.palette)
        #expect(answer.image == image)
        #expect(answer.opacity == 1)
        #expect(answer.colors.map(\.color.hex) == ["#9ab3d0", "#402010", "#c81414"])
        #expect(answer.colors.map(\.share) == [0.75, 0.249999, 0.000001])
        #expect(
            answer.colors[0].foreground
                == TextColor(color: .black, contrast: 9.73285, meets: true))
        #expect(answer.accent == answer.colors[2])
    }

    @Test func takesAnIndicatorApart() throws {
        let answer: IndicatorAnswer = try SampleReplies.answer(SampleReplies.indicator)
        let strip = try #require(answer.strip)
        #expect(answer.opacity == 0.5)
        #expect(strip.base.hex == "#9ab3d0")
        #expect(strip.background.hex == "#5b6a7b")
        #expect(strip.isDark)
        #expect(strip.material == ColorLayer(color: .black, opacity: 0.40784))
        #expect(strip.labels.active == TextColor(color: .white, contrast: 7.01, meets: true))
        #expect(strip.labels.others.color.hex == "#c8cdd3")
        #expect(strip.dots.current.contrast == 4.51)
        #expect(strip.dots.others.contrast == 3)
        let glyph = try #require(answer.glyph)
        #expect(glyph.image == image)
        let drawing = try #require(glyph.drawing)
        #expect(drawing.isTinted)
        #expect(drawing.reason == "tooLittleContrast")
        #expect(drawing.color.color.hex == "#fffffe")
        // Not asked for, or with nothing of it to be seen.
        let without = SampleReplies.indicator.replacing(#","glyph":{"#, with: #","newer":{"#)
        #expect(try SampleReplies.answer(without, as: IndicatorAnswer.self).glyph == nil)
        let empty = SampleReplies.indicator.replacing(#""style":"tint""#, with: #""style":null"#)
        #expect(
            try SampleReplies.answer(empty, as: IndicatorAnswer.self).glyph
                == .init(image: image, drawing: nil))
    }

    @Test func takesATransitionApart() throws {
        let reply = Array(SampleReplies.transition.utf8)
        let answer = try TransitionAnswer(JSONDocument.result(of: reply))
        #expect(answer.from == .init(color: .black, image: nil))
        #expect(answer.to == .init(color: .white, image: image))
        #expect(answer.space == "oklab")
        #expect(answer.flip == 0.46)
        #expect(answer.lowest == 5.2)
        #expect(answer.frames.map(\.position) == [0, 0.5, 1])
        #expect(answer.frames.map(\.background.hex) == ["#000000", "#636363", "#ffffff"])
        #expect(answer.frames[1].foreground.contrast == 6)
        #expect(answer.frames[2].secondary.color.hex == "#767676")
    }

    @Test func takesAThemeApart() throws {
        let answer: ThemeAnswer = try SampleReplies.answer(SampleReplies.theme)
        let theme = try #require(answer.theme)
        #expect(!theme.isDark)
        #expect(theme.background == .black)
        #expect(theme.foreground.hex == "#f00000")
        #expect(theme.cursor.hex == "#00ff00")
        #expect(theme.colors.map { $0.red >> 4 } == Array(0...15))
        #expect(theme.roles.map(\.name).first == "accent")
        #expect(theme.role("border")?.hex == "#000030")
        #expect(theme.role("newer") == nil)
        #expect(theme.lowest == 4.53999)
    }

    @Test func takesApartWhatCannotBeSeen() throws {
        let palette = SampleReplies.invisible(#""colors":[],"accent":null"#)
        #expect(
            try SampleReplies.answer(palette)
                == PaletteAnswer(image: image, opacity: 0, colors: [], accent: nil))
        let indicator = SampleReplies.invisible(
            #""base":null,"background":null,"glyph":{"image":\#(SampleReplies.image),"style":null}"#
        )
        #expect(
            try SampleReplies.answer(indicator)
                == IndicatorAnswer(
                    image: image, opacity: 0, strip: nil,
                    glyph: .init(image: image, drawing: nil)))
        let theme = SampleReplies.invisible(#""scheme":null,"background":null,"colors":null"#)
        #expect(
            try SampleReplies.answer(theme) == ThemeAnswer(image: image, opacity: 0, theme: nil))
        let transition = try TransitionAnswer(
            JSONDocument(
                parsing: Array(
                    """
                    {"from":{"color":null,"image":\(SampleReplies.image)},"to":{"color":"#ffffff"},\
                    "space":"srgb","flip":null,"lowest":null,"frames":[]}
                    """.utf8)))
        #expect(transition.from == .init(color: nil, image: image))
        #expect(transition.lowest == nil)
        #expect(transition.frames.isEmpty)
    }

    @Test(arguments: [
        #""opacity":1"#, ##""color":"#402010""##, #""share":0.75"#, #""contrast":9.73285"#,
        #""foreground":"#, #""colors":"#, #""meets":true"#,
    ])
    func refusesAPaletteThatLacksAMember(member: String) {
        #expect(throws: ClientError.malformedReply) {
            let reply = SampleReplies.palette.replacing(
                member, with: "\"x\":" + (member.hasSuffix(":") ? "" : "0"))
            _ = try SampleReplies.answer(reply, as: PaletteAnswer.self)
        }
    }

    @Test(arguments: [#""color12":"#, #""scheme":"#, #""cursor":"#, #""roles":"#, #""lowest":"#])
    func refusesAThemeThatLacksAMember(member: String) {
        #expect(throws: ClientError.malformedReply) {
            let reply = SampleReplies.theme.replacing(member, with: #""x":"#)
            _ = try SampleReplies.answer(reply, as: ThemeAnswer.self)
        }
    }

    @Test(arguments: [#""material":"#, #""labels":"#, #""dots":"#, #""active":"#, #""reason":"#])
    func refusesAnIndicatorThatLacksAMember(member: String) {
        #expect(throws: ClientError.malformedReply) {
            let reply = SampleReplies.indicator.replacing(member, with: #""x":"#)
            _ = try SampleReplies.answer(reply, as: IndicatorAnswer.self)
        }
    }

    @Test func passesAnothersFileOn() throws {
        let reply = #" {"id":1, "result":{"b":{"x":[1,"é\n"]}, "a":"100"}}"#
        let text = try JSONDocument.resultText(of: Array(reply.utf8))
        #expect(String(decoding: text, as: UTF8.self) == #"{"b":{"x":[1,"é\n"]},"a":"100"}"#)
        #expect(throws: ClientError.refused(ReplyError(code: "x", message: "y"))) {
            try JSONDocument.resultText(
                of: Array(#"{"error":{"code":"x","message":"y"}}"#.utf8))
        }
    }
}
