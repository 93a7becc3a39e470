import Testing

@testable import UndertoneDecoding

@Suite("Thumbnails lie where the standard says")
struct ThumbnailPlacesTests {
    private let places = ThumbnailPlaces(cacheDirectory: Array("/home/jens/.cache".utf8))

    private func uri(_ path: String) -> String? {
        places.uri(of: Array(path.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("The standard's own example")
    func example() throws {
        let uri = try #require(places.uri(of: Array("/home/jens/photos/me.png".utf8)))
        #expect(uri == Array("file:///home/jens/photos/me.png".utf8))
        let name = "c6ee772d9e49320e97ec29a7eb5b1697.png"
        #expect(
            places.paths(for: uri)
                == [
                    "large", "x-large", "xx-large", "normal",
                ].map { Array("/home/jens/.cache/thumbnails/\($0)/\(name)".utf8) })
    }

    @Test(
        "Bytes are escaped as RFC 3986 has them, but for what GLib leaves",
        arguments: [
            ("/a b", "file:///a%20b"), ("/ü", "file:///%C3%BC"), ("/#?%", "file:///%23%3F%25"),
            ("/!$&'()*+,=:@~_-.x", "file:///!$&'()*+,=:@~_-.x"), ("/[];", "file:///%5B%5D%3B"),
            ("/\u{7f}\n", "file:///%7F%0A"),
        ])
    func escapes(path: String, uri: String) {
        #expect(self.uri(path) == uri)
    }

    @Test("Bytes that are no UTF-8 are escaped one by one")
    func bytes() {
        #expect(places.uri(of: [0x2f, 0xff, 0x80]) == Array("file:///%FF%80".utf8))
    }

    @Test("Detours are not part of a URI")
    func detours() {
        #expect(uri("/a/./b/../c//d") == "file:///a/c/d")
        #expect(uri("/../a/") == "file:///a")
    }

    @Test("A thumbnail has none")
    func thumbnails() {
        #expect(uri("/home/jens/.cache/thumbnails/large/a.png") == nil)
        #expect(uri("/home/jens/.cache/x/../thumbnails/normal/a.png") == nil)
        #expect(uri("/home/jens/.cache/thumbnails.png") != nil)
    }
}
