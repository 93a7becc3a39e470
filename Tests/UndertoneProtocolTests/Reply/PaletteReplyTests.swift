import Testing
import UndertoneColor

@testable import UndertoneProtocol

struct PaletteReplyTests {
    private func reply(
        _ colors: [(RGB8, Float)], count: Int = 8, contrast: Double = 4.5
    ) -> String {
        let request = PaletteRequest(path: Array("/a".utf8), count: count, contrast: contrast)
        let reply = Reply.palette(id: .integer(1), request, of: .test(colors))
        return String(decoding: reply, as: UTF8.self)
    }

    @Test func hasTheShapeOfTheSpecification() {
        let red = RGB8(packed: 0xc8_1414)
        let expected =
            ##"{"id":1,"result":{\##(ImageSummary.testImage),"opacity":1,"colors":["##
            + ##"{"color":"#ffffff","share":0.75,"##
            + ##""foreground":{"color":"#000000","contrast":21,"meets":true}},"##
            + ##"{"color":"#c81414","share":0.25,"##
            + ##""foreground":{"color":"#ffffff","contrast":5.88889,"meets":true}}],"##
            + ##""accent":{"color":"#c81414","share":0.25,"##
            + ##""foreground":{"color":"#ffffff","contrast":5.88889,"meets":true}}}}"## + "\n"
        #expect(reply([(.white, 0.75), (red, 0.25)]) == expected)
    }

    @Test func whereNothingCanBeSeenThereAreNoColors() {
        let expected =
            #"{"id":1,"result":{\#(ImageSummary.testImage),"opacity":0,"colors":[],"accent":null}}"#
        #expect(reply([]) == expected + "\n")
    }

    @Test func countAndContrastAreThoseAskedFor() {
        let text = reply([(.white, 0.5), (.black, 0.5)], count: 1, contrast: 21)
        #expect(text.contains(##""colors":[{"color":"#ffffff","share":1,"##))
        let grey = reply([(RGB8(packed: 0x80_8080), 1)], contrast: 7)
        #expect(grey.contains(##"{"color":"#000000","contrast":5.31721,"meets":false}"##))
    }

    /// Three thirds have no share in common that adds up to 1.
    @Test func sharesAddUpToOneAsTheyAreWritten() {
        let third = Float(1) / 3
        let text = reply([
            (.black, third), (.white, third), (RGB8(packed: 0xff_0000), third),
        ])
        let shares = text.split(separator: #""share":"#).dropFirst().dropLast()
            .map { $0.prefix { $0 != "," } }
        #expect(shares.sorted() == ["0.333333", "0.333333", "0.333334"])
    }
}
