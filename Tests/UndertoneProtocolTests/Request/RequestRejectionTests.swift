import Testing

@testable import UndertoneProtocol

/// Every way in which a line is no request, with what is said of it.
struct RequestRejectionTests {
    @Test(arguments: [
        "", "garbage", "{", #"{"id":1,"path":"#, "[]", #""str""#, "null", "7", "{}{}", "{} x",
        "[{}]", #"{"path":"/a",}"#, "{'path':'/a'}", #"{"path":"/a"} // why"#, #"{path:"/a"}"#,
        // Repeated names, at the top and below.
        #"{"id":1,"path":"/a","path":"/b"}"#, #"{"id":1,"id":1,"path":"/a"}"#,
        #"{"path":"/a","regions":{"a":{"edge":"top","size":1},"a":{"edge":"top","size":1}}}"#,
        // NUL and lone surrogates.
        #"{"path":"/a\u0000b"}"#, #"{"path":"/\ud800"}"#, #"{"path":"/\udc00\ud800"}"#,
        #"{"a\u0000":1}"#, "{\"path\":\"/a\u{0}\"}", "{\"path\":\"/a\u{0}", "\u{0}",
        // Control characters must be escaped; numbers have one spelling.
        "{\"path\":\"/a\u{1}\"}", "{\"path\":\"/a\tb\"}", #"{"contrast":+1}"#, #"{"contrast":01}"#,
        #"{"contrast":.5}"#, #"{"contrast":NaN}"#, #"{"contrast":0x10}"#, "\u{FEFF}{}",
    ])
    func refusesWhatIsNotOneObject(line: String) {
        let failure = rejection(line)
        #expect(failure.id == .unknown)
        #expect(failure.error.code == .parseError)
        #expect(!failure.error.message.contains("\n"))
    }

    @Test(arguments: [
        [0xFF], [0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82],
    ])
    func refusesInvalidUTF8(bytes: [UInt8]) {
        let failure = rejection(Array(#"{"path":"/a"#.utf8) + bytes + Array(#""}"#.utf8))
        #expect(failure.id == .unknown)
        #expect(failure.error.code == .parseError)
        #expect(!failure.error.message.contains("\u{FFFD}"))
    }

    @Test func saysWhatIsWrongWithAText() {
        #expect(rejection("[]").error.message == "not a JSON object")
        let mark = "the line starts with a byte order mark; send UTF-8 without one"
        #expect(rejection("\u{FEFF}{}").error.message == mark)
        let repeated = rejection(#"{"path":"/a","path":"/b"}"#).error.message
        #expect(repeated == "not JSON at byte 19: duplicate object key")
        let unfinished = rejection(#"{"path":"/a""#).error.message
        #expect(unfinished == "not JSON at byte 12: '}' expected")
        let single = rejection("{'path':'/a'}").error.message
        #expect(single == "not JSON at byte 2: string or '}' expected")
    }

    @Test func refusesNestingBeforeItCanExhaustTheStack() {
        let deep = rejection(#"{"a":"# + String(repeating: "[", count: 60_000))
        #expect(
            deep
                == RequestFailure(
                    id: .unknown, error: RequestError(.parseError, "nested more than 16 deep")))
        func nested(_ depth: Int) -> String {
            #"{"id":1,"a":"# + String(repeating: "[", count: depth - 1)
                + String(repeating: "]", count: depth - 1) + "}"
        }
        #expect(rejection(nested(17)) == deep)
        #expect(rejection(nested(16)).error.message == "unknown field a")
        // Brackets in strings are text, also after escapes.
        let brackets = String(repeating: "[{", count: 40)
        #expect(rejection(#"{"a":"\"\#(brackets)\\","b":1}"#).error.message == "unknown field a")
        #expect(rejection(#"{"a":"\\"\#(brackets)}"#) == deep)
    }

    @Test(arguments: [
        (#"{}"#, "a picture is missing: give one of path, path_b64 and uri"),
        (#"{"path":"/a","uri":"file:///a"}"#, "only one of path, path_b64 and uri can be given"),
        (#"{"path":"/a","path_b64":"L2E="}"#, "only one of path, path_b64 and uri can be given"),
        (#"{"path":"a.jpg"}"#, "path must be absolute"), (#"{"path":""}"#, "path must be absolute"),
        (#"{"path":7}"#, "path must be a string"), (#"{"path":null}"#, "path must be a string"),
        (#"{"path_b64":["L2E="]}"#, "path_b64 must be a string"),
        (#"{"uri":{}}"#, "uri must be a string"),
        (#"{"path_b64":"YQ=="}"#, "path_b64 must be absolute"),
        (#"{"fd":3}"#, "fd is reserved for a later version"),
        (#"{"path":"/a","data_b64":""}"#, "data_b64 is reserved for a later version"),
        (#"{"op":null}"#, "op must be a string"), (#"{"op":["color"]}"#, "op must be a string"),
        (#"{"path":"/a","pth":1}"#, "unknown field pth"),
        (#"{"path":"/a","":1}"#, "unknown field "),
        (#"{"path":"/a","ID":1}"#, "unknown field ID"),
        (#"{"path":"/a","priority":"high"}"#, "priority must be one of: normal, idle"),
        (#"{"path":"/a","priority":0}"#, "priority must be one of: normal, idle"),
        (
            #"{"path":"/a","average":"mean"}"#,
            "average must be one of: simple, squareRoot, linear, oklab"
        ),
        (#"{"path":"/a","sampling":"Exact"}"#, "sampling must be one of: auto, exact, thumbnail"),
        (#"{"path":"/a","contrast":0.99}"#, "contrast must be a number from 1 to 21"),
        (#"{"path":"/a","contrast":21.0001}"#, "contrast must be a number from 1 to 21"),
        (#"{"path":"/a","contrast":"4.5"}"#, "contrast must be a number from 1 to 21"),
        (#"{"path":"/a","contrast":true}"#, "contrast must be a number from 1 to 21"),
        (#"{"path":"/a","contrast":1e999}"#, "a number is out of range"),
        (#"{"path":"/a","backdrop":"red"}"#, ##"backdrop must be a color like "#1e90ff""##),
        (##"{"path":"/a","backdrop":"#1e90f"}"##, ##"backdrop must be a color like "#1e90ff""##),
        (##"{"path":"/a","backdrop":"#1e90fg"}"##, ##"backdrop must be a color like "#1e90ff""##),
        (##"{"path":"/a","backdrop":"#1e90ff0"}"##, ##"backdrop must be a color like "#1e90ff""##),
        (##"{"path":"/a","backdrop":"+1e90ff"}"##, ##"backdrop must be a color like "#1e90ff""##),
        (##"{"path":"/a","backdrop":"#+1e90f"}"##, ##"backdrop must be a color like "#1e90ff""##),
        (#"{"path":"/a","backdrop":2003199}"#, ##"backdrop must be a color like "#1e90ff""##),
    ])
    func namesTheFieldThatIsWrong(line: String, message: String) {
        let failure = rejection(line)
        #expect(failure.error == RequestError(.invalidRequest, message))
        // The answer goes by the line's own identifier.
        let expected: RequestID = message == "a number is out of range" ? .unknown : .string("i")
        #expect(failure.id == nil || failure.id == .unknown)
        let named = #"{"id":"i""# + (line == "{}" ? "" : ",") + line.dropFirst()
        #expect(rejection(named) == RequestFailure(id: expected, error: failure.error))
    }

    @Test func namesTheOperationsThereAre() {
        let failure = rejection(#"{"id":3,"op":"sing","path":"/a"}"#)
        #expect(failure.id == .integer(3))
        #expect(
            failure.error
                == RequestError(
                    .unknownOperation,
                    "no operation \"sing\"; there are: color, palette, indicator, transition, theme, "
                        + "watch, status, cache"))
        #expect(rejection(#"{"op":""}"#).error.code == .unknownOperation)
        #expect(rejection(#"{"op":"Color"}"#).error.code == .unknownOperation)
    }

    @Test func keepsAClientsOwnTextShortInMessages() {
        let long = String(repeating: "é", count: 20_000)
        let field = rejection(#"{"path":"/a","\#(long)":1}"#).error.message
        #expect(field == "unknown field " + String(repeating: "é", count: 32) + "…")
        // One character of 20,000 bytes.
        let stacked = "e" + String(repeating: "\u{301}", count: 10_000)
        #expect(rejection(#"{"op":"\#(stacked)"}"#).error.message.utf8.count < 200)
    }
}
