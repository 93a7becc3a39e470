import Testing
import UndertoneColor

@testable import UndertoneProtocol

struct ReplyTests {
    @Test(arguments: [
        (RequestID.integer(-7), #""id":-7,"#),
        (.integer(9_007_199_254_740_993), #""id":9007199254740993,"#),
        (.string("7"), #""id":"7","#), (.string("a b\"c/é"), #""id":"a b\"c/é","#),
        (.unknown, #""id":null,"#), (nil, ""),
    ])
    func echoesTheIdentifier(id: RequestID?, text: String) {
        let reply = Reply.error(id: id, RequestError(.notFound, "no such file"))
        let rest = #""error":{"code":"not_found","message":"no such file"}}"#
        #expect(String(decoding: reply, as: UTF8.self) == "{" + text + rest + "\n")
    }

    @Test func namesThePackageThatWouldHelp() {
        let error = RequestError(
            .unsupportedFormat, "no loader for avif", package: "libavif-gdk-pixbuf")
        let text = """
            {"error":{"code":"unsupported_format","message":"no loader for avif",\
            "package":"libavif-gdk-pixbuf"}}\n
            """
        #expect(String(decoding: Reply.error(id: nil, error), as: UTF8.self) == text)
    }

    @Test func aReplyIsOneLineWhateverItsMessageHolds() {
        let reply = Reply.error(id: .string("\n"), RequestError(.internal, "a\r\nb\u{0}\u{85}"))
        #expect(reply.count { $0 == UInt8(ascii: "\n") } == 1)
        #expect(reply.last == UInt8(ascii: "\n"))
    }

    @Test func whatAnswersNoRequestHasNoIdentifier() {
        for (line, code) in [
            (Reply.requestTooLarge, "request_too_large"), (Reply.tooManyConnections, "busy"),
        ] {
            let start = #"{"id":null,"error":{"code":"\#(code)","message":""#
            #expect(String(decoding: line, as: UTF8.self).hasPrefix(start))
        }
    }

    @Test func statusTellsLimitsCountersAndTheSandbox() {
        var report = StatusReport()
        report.process = 4711
        report.deadlineSeconds = 3
        report.counters.requests = 42
        report.errors = [.timeout: 2, .parseError: 1]
        report.decoder = DecoderCapabilities(formats: [.svg, .png], landlock: 0, seccomp: true)
        let text = String(decoding: Reply.status(id: .integer(1), report), as: UTF8.self)
        let start = """
            {"id":1,"result":{"version":"1.0.0","protocol":1,"pid":4711,"operations":["color","palette","indicator",\
            "transition","theme","watch","status","cache"],\
            "formats":["png","svg"],"limits":{"lineBytes":65536,"nesting":16,"idBytes":128,\
            "pathBytes":4095,
            """
        #expect(text.hasPrefix(start))
        #expect(text.contains(#""deadlineSeconds":3,"#))
        #expect(text.contains(#""requests":42,"#))
        let end = """
            "errors":{"parse_error":1,"timeout":2},\
            "sandbox":{"seccomp":true,"landlock":0,"warnings":["decoders run without Landlock"]}}}\n
            """
        #expect(text.hasSuffix(end))
    }

    @Test func statusSaysNothingOfADecoderThatIsNotThere() {
        let text = String(decoding: Reply.status(id: nil, StatusReport()), as: UTF8.self)
        #expect(text.contains(#""formats":null,"#))
        #expect(text.hasSuffix(#""errors":{},"sandbox":null}}"# + "\n"))
    }
}
