import Testing

@testable import UndertoneProtocol

struct PictureLocationTests {
    @Test(arguments: [
        ("L2E=", "/a"), ("L2Fi", "/ab"), ("L2FiYw==", "/abc"), ("Lw==", "/"),
    ])
    func decodesBase64(text: String, path: String) throws {
        #expect(try pathBytes(of: #"{"path_b64":"\#(text)"}"#) == Array(path.utf8))
    }

    @Test func decodesEveryByteButNUL() throws {
        let all = [UInt8(ascii: "/")] + Array(UInt8(1)...255)
        // Written out with Python's base64.b64encode.
        let text = """
            LwECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+P0BBQ\
            kNERUZHSElKS0xNTk9QUVJTVFVWV1hZWltcXV5fYGFiY2RlZmdoaWprbG1ub3BxcnN0dXZ3eHl6e3x9fn+AgYKDhIWG\
            h4iJiouMjY6PkJGSk5SVlpeYmZqbnJ2en6ChoqOkpaanqKmqq6ytrq+wsbKztLW2t7i5uru8vb6/wMHCw8TFxsfIycr\
            LzM3Oz9DR0tPU1dbX2Nna29zd3t/g4eLj5OXm5+jp6uvs7e7v8PHy8/T19vf4+fr7/P3+/w==
            """
        #expect(try pathBytes(of: #"{"path_b64":"\#(text)"}"#) == all)
        #expect(
            rejection(#"{"path_b64":"LwBh"}"#).error.message == "path_b64 must not hold a NUL byte")
    }

    @Test(arguments: [
        "L2E", "L2E==", "L2E=\\n", " L2E=", "L2 E=", "L2E=L2E=", "L2F=", "L2-_", "=", "A===",
        "%2Fa",
        "/w", "é", "L2E=\\r\\n",
    ])
    func refusesLooseBase64(text: String) {
        let error = rejection(#"{"path_b64":"\#(text)"}"#).error
        let message = "path_b64 must be base64 (RFC 4648, with padding)"
        #expect(error == RequestError(.invalidRequest, message))
    }

    @Test(arguments: [
        ("file:///a%20b.jpg", "/a b.jpg"), ("file:/a", "/a"), ("FILE:///a", "/a"),
        ("file://localhost/a", "/a"), ("file://LocalHost/a", "/a"), ("file://Desk.example/a", "/a"),
        ("file:///%C3%A9%3F%23%25", "/é?#%"), ("file:///é b", "/é b"), ("file:///a/", "/a/"),
    ])
    func decodesURIs(uri: String, path: String) throws {
        let bytes = try PictureLocation.path(
            uri: Array(uri.utf8), thisHost: { Array("desk.EXAMPLE".utf8) })
        #expect(bytes == Array(path.utf8))
    }

    @Test func aURIHoldsAnyBytes() throws {
        let bytes = try PictureLocation.path(uri: Array("file:///%ff%0a%22".utf8))
        #expect(bytes == [0x2F, 0xFF, 0x0A, 0x22])
    }

    @Test(arguments: [
        ("", "uri must be like file:///home/u/a%20b.jpg"),
        ("/a", "uri must be like file:///home/u/a%20b.jpg"),
        ("http://localhost/a", "uri must be like file:///home/u/a%20b.jpg"),
        ("file:a", "uri must be like file:///home/u/a%20b.jpg"),
        ("file://", "uri must be like file:///home/u/a%20b.jpg"),
        ("file:///a%2Fb", "uri must be like file:///home/u/a%20b.jpg"),
        ("file:///a%00", "uri must be like file:///home/u/a%20b.jpg"),
        ("file:///a%zz", "uri must be like file:///home/u/a%20b.jpg"),
        ("file:///a%", "uri must be like file:///home/u/a%20b.jpg"),
        ("file://localhost:80/a", "uri must be like file:///home/u/a%20b.jpg"),
        ("file://elsewhere.invalid/a", "uri must name a file of this host"),
        ("file:///a?b", "uri must not have a query"), ("file:///a?", "uri must not have a query"),
        ("file:///a#b", "uri must not have a fragment"),
    ])
    func refusesOtherURIs(uri: String, message: String) {
        #expect(rejection(#"{"uri":"\#(uri)"}"#).error == RequestError(.invalidRequest, message))
    }

    @Test func boundsTheLength() throws {
        let longest = "/" + String(repeating: "a", count: 4094)
        #expect(try pathBytes(of: #"{"path":"\#(longest)"}"#).count == 4095)
        #expect(
            rejection(#"{"path":"\#(longest)a"}"#).error.message
                == "path must be at most 4095 bytes")
    }

    @Test func keepsTheBytesOfAPath() throws {
        // Decomposed and composed are two files.
        #expect(try pathBytes(of: "{\"path\":\"/e\u{301}\"}") == [0x2F, 0x65, 0xCC, 0x81])
        #expect(try pathBytes(of: "{\"path\":\"/\u{E9}\"}") == [0x2F, 0xC3, 0xA9])
        #expect(try pathBytes(of: #"{"path":"\/a\n\"\\\u00e9"}"#) == Array("/a\n\"\\é".utf8))
    }

    private func pathBytes(of line: String) throws -> [UInt8] {
        let request = try Request(parsing: Array(line.utf8))
        guard case .picture(let question) = request.operation,
            case .color(let color) = question.request
        else { return [] }
        return color.job.path
    }
}
