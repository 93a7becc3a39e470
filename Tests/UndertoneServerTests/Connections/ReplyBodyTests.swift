import Testing
import UndertoneProtocol

@testable import UndertoneServer

/// An addressed body must be the very bytes that a reply made for the identifier has.
@Suite struct ReplyBodyTests {
    private static let error = RequestError(.notFound, "no such \"file\"")

    @Test(arguments: [
        nil, RequestID.integer(1), .integer(.min), .integer(.max), .string(""), .string("a\"\\\n"),
        .string("größe \u{1F3A8}"), .unknown,
    ])
    func itEqualsAReplyThatWasMadeForTheIdentifier(id: RequestID?) {
        let body = ReplyBody(Reply.error(id: nil, Self.error))
        #expect(body.addressed(to: id) == Reply.error(id: id, Self.error))
    }

    @Test func repliesStandBehindEachOtherInOneBuffer() {
        let bodies = [Self.error, RequestError(.timeout, "too long")].map {
            ReplyBody(Reply.error(id: nil, $0))
        }
        let ids: [RequestID?] = [.integer(-1), nil, .string("\u{1}\"é"), .unknown]
        var output: [UInt8] = []
        var expected: [UInt8] = []
        for round in 0..<40 {
            let (body, id) = (bodies[round % 2], ids[round % 4])
            body.append(to: &output, id: id)
            expected += body.addressed(to: id)
        }
        #expect(output == expected)
        #expect(output.split(separator: UInt8(ascii: "\n")).count == 40)
    }

    @Test func anEventSaysWhoseItIsAndWhichBeforeItsAnswer() {
        let body = ReplyBody(Array(#"{"error":{}}"#.utf8) + [0x0a])
        func line(_ id: RequestID?) -> String {
            String(decoding: body.announced(to: id, as: "error"), as: UTF8.self)
        }
        #expect(line(nil) == "{\"event\":\"error\",\"error\":{}}\n")
        #expect(line(.integer(7)) == "{\"id\":7,\"event\":\"error\",\"error\":{}}\n")
        #expect(line(.string("a\"")) == "{\"id\":\"a\\\"\",\"event\":\"error\",\"error\":{}}\n")
    }
}
