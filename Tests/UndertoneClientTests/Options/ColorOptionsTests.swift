import Testing
import UndertoneColor

@testable import UndertoneClient

@Suite struct ColorOptionsTests {
    private func line(_ options: ColorOptions, _ path: String = "/a.png") -> String {
        String(decoding: options.request(path: Array(path.utf8)), as: UTF8.self)
    }

    @Test func leavesOutWhatIsLeftToTheDaemon() {
        #expect(line(ColorOptions()) == "{\"path\":\"/a.png\"}\n")
    }

    @Test func writesEveryOption() {
        var options = ColorOptions()
        options.average = .squareRoot
        options.contrast = 7
        options.sampling = .exact
        options.backdrop = RGB8(red: 30, green: 144, blue: 255)
        options.regions = [
            ("bar", .edge(.bottom, size: 0.12)),
            ("a \"b\"", .rectangle(x: 0, y: 0.5, width: 0.25, height: 0.5)),
        ]
        #expect(
            line(options) == """
                {"path":"/a.png","average":"squareRoot","contrast":7,"regions":{\
                "bar":{"edge":"bottom","size":0.12},\
                "a \\"b\\"":{"x":0,"y":0.5,"width":0.25,"height":0.5}},\
                "sampling":"exact","backdrop":"#1e90ff"}

                """)
    }

    @Test(arguments: [
        ("/a b.png", #""path":"/a b.png""#),
        ("/a\nb\t\"c\"\\.png", #""path":"/a\nb\t\"c\"\\.png""#),
        ("/\u{1}\u{7f}é😀", "\"path\":\"/\\u0001\u{7f}é😀\""),
    ])
    func keepsOneLineWhateverTheName(name: String, member: String) {
        #expect(line(ColorOptions(), name) == "{\(member)}\n")
    }

    @Test(
        arguments: [
            // A lone continuation byte, a cut sequence, an overlong slash, an encoded surrogate.
            ([0x2F, 0x80], "L4A="),
            ([0x2F, 0xC3], "L8M="),
            ([0x2F, 0xC0, 0xAF], "L8Cv"),
            ([0x2F, 0xED, 0xA0, 0x80], "L+2ggA=="),
        ] as [([UInt8], String)])
    func sendsNamesThatAreNotTextInBase64(path: [UInt8], base64: String) {
        let line = String(decoding: ColorOptions().request(path: path), as: UTF8.self)
        #expect(line == "{\"path_b64\":\"\(base64)\"}\n")
    }

    @Test func keepsCompositionOfCharacters() {
        // Two names that a String would call equal.
        let composed = ColorOptions().request(path: Array("/\u{e9}".utf8))
        let decomposed = ColorOptions().request(path: Array("/e\u{301}".utf8))
        #expect(composed != decomposed)
        #expect(decomposed.contains(0xCC))
    }
}
