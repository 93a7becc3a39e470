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
}
