import Testing
import UndertoneColor

@testable import UndertoneProtocol

struct JSONWriterTests {
    @Test func separatesMembersAndElements() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("a")
        writer.beginArray()
        for number in 1...3 {
            writer.element()
            writer.value(number)
        }
        writer.endArray()
        writer.name("b")
        writer.beginObject()
        writer.endObject()
        writer.name(escaping: "c\"{")
        writer.null()
        writer.name("d")
        writer.value(true)
        writer.endObject()
        #expect(text(writer) == #"{"a":[1,2,3],"b":{},"c\"{":null,"d":true}"#)
    }

    @Test func aStringThatEndsInABracketIsNoBracket() {
        var writer = JSONWriter()
        writer.beginArray()
        writer.element()
        writer.value("[")
        writer.element()
        writer.value("{")
        writer.endArray()
        #expect(text(writer) == #"["[","{"]"#)
    }

    @Test(arguments: [
        ("", #""""#), ("/a/b", #""/a/b""#), ("a\"b\\c", #""a\"b\\c""#),
        ("\n\r\t\u{8}\u{1F}\u{0}", #""\n\r\t\u0008\u001f\u0000""#),
        ("é😀\u{2028}\u{7F}", "\"é😀\u{2028}\u{7F}\""),
    ])
    func escapesOnlyWhatMustBe(string: String, expected: String) {
        var writer = JSONWriter()
        writer.value(string)
        #expect(text(writer) == expected)
    }

    @Test func everyStringComesBack() throws {
        var random = SplitMix64(state: 2)
        for _ in 0..<2000 {
            // NUL can be written but is refused on the way in.
            let scalars = (0..<20).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 1...0x2FF, using: &random))
            }
            var string = String.UnicodeScalarView()
            string.append(contentsOf: scalars)
            var writer = JSONWriter()
            writer.beginObject()
            writer.name(escaping: String(string))
            writer.value(String(string))
            writer.endObject()
            let members = try unsafe writer.bytes.withUnsafeBytes {
                try unsafe JSONValue.parsing($0)
            }
            #expect(members.count == 1)
            #expect(Array(members[0].name.utf8) == Array(String(string).utf8))
            #expect(members[0].value == .string(Array(String(string).utf8)))
        }
    }

    @Test(arguments: [
        (RGB8(red: 0, green: 9, blue: 10), ##""#00090a""##), (.white, ##""#ffffff""##),
        (RGB8(red: 0x1E, green: 0x90, blue: 0xA0), ##""#1e90a0""##),
    ])
    func writesColorsInLowerCase(color: RGB8, expected: String) {
        var writer = JSONWriter()
        writer.value(color)
        #expect(text(writer) == expected)
    }

    private func text(_ writer: JSONWriter) -> String {
        String(decoding: writer.bytes, as: UTF8.self)
    }
}
