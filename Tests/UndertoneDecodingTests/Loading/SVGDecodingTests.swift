import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneDecoding

@Suite("SVG pictures are rendered at the sample's size")
struct SVGDecodingTests {
    private func svg(_ attributes: String, _ content: String) -> [UInt8] {
        Array("<svg xmlns=\"http://www.w3.org/2000/svg\" \(attributes)>\(content)</svg>".utf8)
    }

    private let blue = "<rect width=\"100%\" height=\"100%\" fill=\"#3366cc\"/>"

    @Test(
        "The reported size is the picture's own",
        arguments: [
            ("width=\"40\" height=\"20\"", 40, 20), ("viewBox=\"0 0 40 20\"", 40, 20),
            ("width=\"4000\" height=\"3000\"", 4000, 3000),
            ("width=\"961\" height=\"100\"", 961, 100), ("width=\"100\" height=\"961\"", 100, 961),
            ("width=\"400000\" height=\"300000\"", 400_000, 300_000),
        ])
    func sizes(attributes: String, width: Int, height: Int) throws {
        let summary = try summary(svg(attributes, blue))
        #expect(summary.image.format == .svg)
        #expect(summary.image.width == width && summary.image.height == height)
        #expect(isClose(summary.picture.simple, 51, 102, 204, within: 0.01))
        #expect(summary.picture.opacity == 1)
        #expect(summary.image.complete)
    }

    @Test("Where nothing is drawn it is transparent")
    func transparency() throws {
        let half = svg(
            "width=\"1000\" height=\"500\"", "<rect width=\"500\" height=\"500\" fill=\"red\"/>")
        let summary = try summary(half)
        #expect(isClose(summary.picture.simple, 255, 0, 0, within: 0.01))
        #expect(abs(summary.picture.opacity - 0.5) < 0.01)
    }

    @Test("No other file is drawn in")
    func externalFiles() throws {
        let picture = svg(
            "xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"10\" height=\"10\"",
            "<rect width=\"10\" height=\"10\" fill=\"white\"/>"
                + "<image xlink:href=\"file:///usr/share/pixmaps/debian-logo.png\" width=\"10\" height=\"10\"/>"
        )
        #expect(isClose(try summary(picture).picture.simple, 255, 255, 255, within: 0.01))
    }

    @Test(
        "Documents that end early, that are empty, or that grow without bound",
        arguments: [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><rect ",
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"0\" height=\"9\"></svg>",
            "<!DOCTYPE svg [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">"
                + "<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;\">"
                + "<!ENTITY e \"&d;&d;&d;&d;&d;&d;&d;&d;\"><!ENTITY f \"&e;&e;&e;&e;&e;&e;&e;&e;\">]>"
                + "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><text>&f;</text></svg>",
        ])
    func refused(text: String) throws {
        guard case .failure(let error) = try report(Array(text.utf8)) else {
            Issue.record("decoded")
            return
        }
        #expect(error.code == .decodeFailed)
        #expect(!error.message.contains("\n"))
    }
}
