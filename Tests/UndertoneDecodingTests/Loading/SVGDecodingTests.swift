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

    @Test(
        "What fills its canvas is opaque to its edges, whatever its shape",
        arguments: [
            ("728", "90"), ("640", "31"), ("1001", "7"), ("1200", "16"), ("90", "728"),
            ("4000", "2001"), ("2001", "4000"), ("1000001", "500001"), ("1", "20000"),
            ("100000", "1"), ("10.4", "7.3"), ("10.5", "7.5"), ("728.4", "90.6"),
        ])
    func margins(width: String, height: String) throws {
        for attributes in [
            "width=\"\(width)\" height=\"\(height)\"", "viewBox=\"0 0 \(width) \(height)\"",
        ] {
            let edges = [(0.0, 0.0, 1.0, 0.001), (0, 0, 0.001, 1)].map {
                RegionRectangle(x: $0, y: $1, width: $2, height: $3)
            }
            let summary = try summary(svg(attributes, blue), regions: edges)
            for area in summary.areas {
                #expect(isClose(area.simple, 51, 102, 204, within: 1))
                #expect(area.opacity == 1, "\(attributes)")
            }
        }
    }

    @Test("A part of a pixel is a picture, and so is what a long comment stands before")
    func smallAndLate() throws {
        let small = try summary(svg("width=\"0.4\" height=\"0.2\"", blue))
        #expect(small.image.width == 1 && small.image.height == 1)
        #expect(isClose(small.picture.simple, 51, 102, 204, within: 0.01))
        #expect(small.picture.opacity == 1)
        let comment = "<!--" + String(repeating: "a licence ", count: 20_000) + "-->"
        let late = try summary(
            Array(comment.utf8) + svg("width=\"40\" height=\"20\"", blue))
        #expect(late.image.format == .svg && late.image.width == 40)
        #expect(isClose(late.picture.simple, 51, 102, 204, within: 0.01))
    }

    @Test("A picture of no width to speak of is refused")
    func slim() throws {
        #expect(try failure(svg("width=\"1\" height=\"10000000\"", blue)) == .imageTooLarge)
    }

    @Test("The shape is read from lengths of one unit, or else from the view box")
    func shapes() {
        func ratio(_ attributes: String) -> Double? {
            SVGSniffer.outline(svg(attributes, "").span, fileLength: 0).aspectRatio
        }
        #expect(ratio("width=\"7.5px\" height = '2.5'") == 3)
        #expect(ratio("width=\"3cm\" height=\"2cm\" viewBox=\"0 0 9 1\"") == 1.5)
        #expect(ratio("width=\"100%\" height=\"100%\" viewBox=\"-1,-1 9,4.5\"") == 2)
        #expect(ratio("viewBox=\"0 0 1e3 250\"") == 4)
        #expect(ratio("width=\"3cm\" height=\"2in\"") == nil)
        #expect(ratio("data-width=\"3\" height=\"2\"") == nil)
        #expect(ratio("viewBox=\"0 0 5\"") == nil)
        #expect(ratio("") == nil)
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
