import Testing
import UndertoneColor

@testable import UndertoneClient

/// A reply as the specification shows it, shortened.
let sampleReply = #"""
    {"result":{"image":{"width":4000,"height":6000,"format":"jpeg","orientation":6,\#
    "profile":"converted","complete":true,"sampling":"auto"},"opacity":1,\#
    "average":{"simple":"#7f6a52","squareRoot":"#8c7660","linear":"#88725b","oklab":"#7c6850"},\#
    "background":"#7f6a52","scheme":"dark",\#
    "foreground":{"color":"#ffffff","contrast":5.13967,"meets":true},\#
    "secondary":{"color":"#f2f0ed","contrast":4.4999,"meets":false},\#
    "luminance":{"mean":0.162},"regions":{"top":{"opacity":0.25,"average":{"simple":"#000102"},\#
    "background":"#000102","scheme":"dark","foreground":{"color":"#ffffff","contrast":20.9,\#
    "meets":true},"secondary":{"color":"#ffffff","contrast":20.9,"meets":true}},\#
    "gone":{"opacity":0,"average":null,"background":null,"scheme":null,"foreground":null,\#
    "secondary":null}},"newer":[1,{"a":null}]}}
    """#

@Suite struct ColorAnswerTests {
    private func answer(_ reply: String) throws(ClientError) -> ColorAnswer {
        try ColorAnswer(JSONDocument.result(of: Array(reply.utf8)))
    }

    @Test func takesAReplyApart() throws {
        let answer = try answer(sampleReply)
        #expect(answer.image == .init(width: 4000, height: 6000, format: "jpeg", isComplete: true))
        #expect(answer.picture.opacity == 1)
        let colors = try #require(answer.picture.colors)
        #expect(colors.averages.map(\.name) == ["simple", "squareRoot", "linear", "oklab"])
        #expect(colors.averages[1].color == RGB8(red: 0x8C, green: 0x76, blue: 0x60))
        #expect(colors.background == RGB8(red: 0x7F, green: 0x6A, blue: 0x52))
        #expect(colors.isDark)
        #expect(colors.foreground == .init(color: .white, contrast: 5.13967, meets: true))
        #expect(colors.secondary.contrast == 4.4999)
        #expect(!colors.secondary.meets)
        #expect(answer.regions.map(\.name) == ["top", "gone"])
        #expect(answer.regions[0].area.opacity == 0.25)
        #expect(answer.regions[0].area.colors?.background == RGB8(red: 0, green: 1, blue: 2))
        #expect(answer.regions[1].area == .init(opacity: 0, colors: nil))
    }

    @Test func throwsTheDaemonsError() {
        let reply = #"{"error":{"code":"unsupported_format","message":"no loader","package":"p"}}"#
        #expect(
            throws: ClientError.refused(
                ReplyError(code: "unsupported_format", message: "no loader", package: "p"))
        ) { try answer(reply) }
        #expect(throws: ClientError.refused(ReplyError(code: "new", message: "new"))) {
            try answer(#"{"id":null,"error":{"code":"new"}}"#)
        }
    }

    @Test(arguments: [
        "", "x", "[]", "1", "{}", #"{"result":null}"#, #"{"result":{}}"#, #"{"error":{}}"#,
        #"{"result":{"image":{"width":1,"height":1,"format":"png"}}}"#,
        #"{"result":{"image":{"width":1.5,"height":1,"format":"png"},"opacity":0,"average":null}}"#,
        #"{"result":{"image":{"width":1,"height":1,"format":"png"},"opacity":1,"average":{}}}"#,
        #"{"result":{},"result":{}}"#, "{\"result\":\u{0}}", #"{"result":{}} x"#,
    ])
    func refusesWhatIsNoReply(reply: String) {
        #expect(throws: ClientError.malformedReply) { try answer(reply) }
    }

    @Test(arguments: ["#12345", "#1234567", "123456", "#12 456", "#+12345", "#12345é", ""])
    func refusesWhatIsNoColor(text: String) {
        #expect(RGB8(hex: text) == nil)
    }

    @Test func readsAndWritesColors() {
        let color = RGB8(red: 0, green: 10, blue: 255)
        #expect(color.hex == "#000aff")
        #expect(RGB8(hex: "#000AFF") == color)
    }
}
