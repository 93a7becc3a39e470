import Testing
import UndertoneColor

@testable import UndertoneProtocol

struct RequestParsingTests {
    private static let longest = String(repeating: "x", count: 128)

    @Test func theShortestQuestionHasEveryDefault() throws {
        let request = try Request(parsing: Array(#"{"path":"/a.jpg"}"#.utf8))
        #expect(request.id == nil)
        #expect(request.priority == .normal)
        let color = ColorRequest(path: Array("/a.jpg".utf8))
        #expect(request.operation == .picture(PictureQuestion(.color(color))))
        #expect(color.job == DecodeJob(path: Array("/a.jpg".utf8)))
        #expect(color.average == .simple)
        #expect(color.contrast == 4.5)
    }

    @Test func takesEveryField() throws {
        let line = """
            {"id":"x","op":"color","priority":"idle","path":"/a","average":"oklab","contrast":7,
            "sampling":"exact","backdrop":"#1E90ff",
            "regions":{"bar":{"edge":"top","size":0.25},"all":{"x":0,"y":0,"width":1,"height":1}}}
            """
        let request = try Request(parsing: Array(line.utf8))
        #expect(request.id == .string("x"))
        #expect(request.priority == .idle)
        let backdrop = RGB8(red: 0x1e, green: 0x90, blue: 0xff)
        let bar = RegionRectangle(x: 0, y: 0, width: 1, height: 0.25)
        let all = RegionRectangle(x: 0, y: 0, width: 1, height: 1)
        let expected = ColorRequest(
            path: Array("/a".utf8), sampling: .exact, backdrop: backdrop,
            regions: [("bar", bar), ("all", all)], average: .oklab, contrast: 7)
        #expect(request.operation == .picture(PictureQuestion(.color(expected))))
        #expect(expected.regionNames == ["bar", "all"])
        #expect(expected.job.regions == [bar, all])
    }

    @Test func statusTakesAnIdentifierAndAPriorityAndNothingElse() throws {
        let line = #"{"id":0,"op":"status","priority":"idle"}"#
        let request = try Request(parsing: Array(line.utf8))
        #expect(request == Request(id: .integer(0), priority: .idle, operation: .status))
        let failure = rejection(#"{"op":"status","path":"/a"}"#)
        #expect(failure.error == RequestError(.invalidRequest, "unknown field path"))
    }

    @Test(arguments: [("", false), (#","clear":false"#, false), (#","clear":true"#, true)])
    func cacheIsClearedWhereItSaysSo(member: String, clear: Bool) throws {
        let request = try Request(parsing: Array(#"{"op":"cache"\#(member)}"#.utf8))
        #expect(request == Request(operation: .cache(clear: clear)))
    }

    @Test(arguments: ["1", "null", #""true""#, "[]"])
    func cacheIsNotClearedByAnythingElse(value: String) {
        let failure = rejection(#"{"op":"cache","clear":\#(value)}"#)
        #expect(failure.error == RequestError(.invalidRequest, "clear must be true or false"))
        let stranger = rejection(#"{"op":"cache","path":"/a"}"#)
        #expect(stranger.error == RequestError(.invalidRequest, "unknown field path"))
    }

    @Test(
        arguments: [
            ("7", RequestID.integer(7)), (#""7""#, .string("7")), ("0", .integer(0)),
            ("-1", .integer(-1)), ("9007199254740993", .integer(9_007_199_254_740_993)),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            (#""a b\"c""#, .string("a b\"c")), (#""""#, .string("")),
            (#""\u00e9\ud83d\ude00/""#, .string("é😀/")),
            (#""\#(longest)""#, .string(longest)),
        ])
    func keepsAnIdentifierAsItWasSent(text: String, expected: RequestID) throws {
        let request = try Request(parsing: Array(#"{"path":"/a","id":\#(text)}"#.utf8))
        #expect(request.id == expected)
        // Also where the rest of the line is wrong.
        #expect(rejection(#"{"path":"a","id":\#(text)}"#).id == expected)
    }

    @Test(
        arguments: [
            "1.5", "1e2", "null", "true", "[1]", #"{"k":1}"#, "9223372036854775808",
            #""\#(longest)x""#,
        ])
    func refusesAnythingElseAsAnIdentifier(text: String) {
        let failure = rejection(#"{"path":"/a","id":\#(text)}"#)
        #expect(failure.id == .unknown)
        #expect(failure.error.code == .invalidRequest)
    }

    @Test func onlyTheObjectsOwnIdentifierCounts() {
        let failure = rejection(#"{"params":{"id":99},"note":"\"id\":98","path":"/a","id":5}"#)
        #expect(failure.id == .integer(5))
        #expect(failure.error == RequestError(.invalidRequest, "unknown field params"))
    }
}
