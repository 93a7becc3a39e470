import Testing
import UndertoneColor

@testable import UndertoneProtocol

struct IndicatorReplyTests {
    private static let path = Array("/a".utf8)
    private static let grey = RGB8(packed: 0x80_8080)

    private func reply(
        _ request: IndicatorRequest, of summary: ImageSummary, glyph: ImageSummary? = nil
    ) -> String {
        let reply = Reply.indicator(id: nil, request, of: summary, glyph: glyph)
        return String(decoding: reply, as: UTF8.self)
    }

    /// White of 42/255 over #808080 is 128 + 127 × 42 / 255, that is #959595, the first grey on
    /// which black reaches 7.
    private static let strip = """
        "average":{"simple":"#808080","squareRoot":"#808080","linear":"#808080",\
        "oklab":"#808080"},"base":"#808080","scheme":"light",\
        "material":{"color":"#ffffff","opacity":0.164706},"background":"#959595",\
        "labels":{"active":{"color":"#000000","contrast":7.01087,"meets":true},\
        "others":{"color":"#2e2e2e","contrast":4.53362,"meets":true}},\
        "dots":{"current":{"color":"#2e2e2e","contrast":4.53362,"meets":true},\
        "others":{"color":"#494949","contrast":3.00571,"meets":true}}
        """

    private static let noStrip = """
        "average":null,"base":null,"scheme":null,"material":null,"background":null,\
        "labels":null,"dots":null
        """

    @Test func hasTheShapeOfTheSpecification() {
        let text = reply(IndicatorRequest(path: Self.path), of: .test([(Self.grey, Float(1))]))
        #expect(
            text == #"{"result":{\#(ImageSummary.testImage),"opacity":1,\#(Self.strip)}}"# + "\n")
    }

    @Test func theAreaIsWhatTheStripIsOf() {
        let area = RegionRectangle(x: 0, y: 0.5, width: 1, height: 0.5)
        let request = IndicatorRequest(path: Self.path, area: area)
        var summary = ImageSummary.test([(.black, Float(1))])
        summary.regions = [.flat(Self.grey)]
        #expect(reply(request, of: summary).contains(Self.strip))
        summary.regions = [AreaSummary()]
        #expect(reply(request, of: summary).contains(#""opacity":0,\#(Self.noStrip)}"#))
    }

    @Test func aGlyphIsDrawnOnTheStrip() {
        let request = IndicatorRequest(path: Self.path, glyph: [0x2f], scheme: .light)
        let summary = ImageSummary.test([(.white, Float(1))])
        let glyph = ImageSummary.test([(RGB8(packed: 0xc8_1414), Float(1))])
        let expected = """
            "glyph":{\(ImageSummary.testImage),"style":"original","reason":"opaqueBlock",\
            "color":"#c81414","contrast":5.88889,"meets":true}}}

            """
        #expect(reply(request, of: summary, glyph: glyph).hasSuffix(expected))
    }

    @Test func whereNothingCanBeSeenEverythingIsNull() {
        let nothing = """
            "glyph":{\(ImageSummary.testImage),"style":null,"reason":null,"color":null,\
            "contrast":null,"meets":null}}}

            """
        let request = IndicatorRequest(path: Self.path, glyph: [0x2f])
        let picture = ImageSummary.test([(Self.grey, Float(1))])
        let start = #"{"result":{\#(ImageSummary.testImage),"opacity""#
        #expect(
            reply(request, of: .test([]), glyph: picture)
                == #"\#(start):0,\#(Self.noStrip),\#(nothing)"#)
        #expect(
            reply(request, of: picture, glyph: .test([]))
                == #"\#(start):1,\#(Self.strip),\#(nothing)"#)
    }
}
