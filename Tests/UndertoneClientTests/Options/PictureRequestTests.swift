import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneClient

@Suite struct PictureRequestTests {
    private func line(_ request: some PictureRequest) -> String {
        String(decoding: request.request(path: Array("/a.png".utf8)), as: UTF8.self)
    }

    @Test func leavesOutWhatIsLeftToTheDaemon() {
        #expect(line(PaletteOptions()) == "{\"op\":\"palette\",\"path\":\"/a.png\"}\n")
        #expect(line(IndicatorOptions()) == "{\"op\":\"indicator\",\"path\":\"/a.png\"}\n")
        #expect(line(ThemeOptions()) == "{\"op\":\"theme\",\"path\":\"/a.png\"}\n")
        let transition = TransitionOptions(from: .color(.white), to: .picture([0x2F, 0xFF]))
        #expect(
            String(decoding: transition.request(), as: UTF8.self)
                == ##"{"op":"transition","from":"#ffffff","to":{"path_b64":"L/8="}}"## + "\n")
    }

    @Test func writesEveryOption() {
        var palette = PaletteOptions()
        (palette.count, palette.contrast, palette.sampling) = (12, 7, .exact)
        #expect(
            line(palette)
                == #"{"op":"palette","path":"/a.png","count":12,"contrast":7,"sampling":"exact"}"#
                + "\n")

        var indicator = IndicatorOptions()
        indicator.area = .edge(.bottom, size: 0.12)
        (indicator.average, indicator.scheme, indicator.base) = (.squareRoot, .light, .image)
        (indicator.glyph, indicator.sampling) = (Array("/g.svg".utf8), .thumbnail)
        indicator.backdrop = RGB8(red: 30, green: 144, blue: 255)
        #expect(
            line(indicator) == """
                {"op":"indicator","path":"/a.png","area":{"edge":"bottom","size":0.12},\
                "average":"squareRoot","scheme":"light","over":"image",\
                "glyph":{"path":"/g.svg"},"sampling":"thumbnail","backdrop":"#1e90ff"}

                """)

        var theme = ThemeOptions()
        (theme.scheme, theme.format, theme.sampling) = (.dark, .pywal, .auto)
        #expect(
            line(theme) == """
                {"op":"theme","path":"/a.png","scheme":"dark","format":"pywal","sampling":"auto"}

                """)

        var transition = TransitionOptions(from: .picture([0x2F]), to: .color(.black))
        (transition.frames, transition.space, transition.average) = (2, .srgb, .oklab)
        (transition.contrast, transition.sampling) = (4.5, .exact)
        #expect(
            String(decoding: transition.request(), as: UTF8.self) == """
                {"op":"transition","from":{"path":"/"},"to":"#000000","frames":2,"space":"srgb",\
                "average":"oklab","contrast":4.5,"sampling":"exact"}

                """)
    }

    @Test func wrapsAQuestionToBeWatched() {
        var palette = PaletteOptions()
        palette.count = 3
        let line = palette.watchRequest(path: [0x2F])
        #expect(
            String(decoding: line, as: UTF8.self)
                == #"{"op":"watch","request":{"op":"palette","path":"/","count":3}}"# + "\n")
        #expect(
            String(decoding: ColorOptions().watchRequest(path: [0x2F]), as: UTF8.self)
                == #"{"op":"watch","request":{"path":"/"}}"# + "\n")
    }
}
