import Testing
import UndertoneColor

@testable import UndertoneProtocol

struct ColorReplyTests {
    private static func summary(_ picture: AreaSummary, _ regions: AreaSummary...) -> ImageSummary {
        var summary = ImageSummary.test([])
        summary.picture = picture
        summary.regions = regions
        return summary
    }

    private static let image = ImageSummary.testImage + ","

    private static let white = """
        "opacity":1,"average":{"simple":"#ffffff","squareRoot":"#ffffff","linear":"#ffffff",\
        "oklab":"#ffffff"},"background":"#ffffff","scheme":"light",\
        "foreground":{"color":"#000000","contrast":21,"meets":true},\
        "secondary":{"color":"#767676","contrast":4.54222,"meets":true},\
        "luminance":{"mean":1,"min":1,"p05":1,"p50":1,"p95":1,"max":1},\
        "overImage":{"color":"#000000","contrast":21,"coverage":1,"meets":true,\
        "scrim":{"color":"#ffffff","opacity":0}}
        """

    private static let nothing = """
        "opacity":0,"average":null,"background":null,"scheme":null,"foreground":null,\
        "secondary":null,"luminance":null,"overImage":null
        """

    @Test func hasTheShapeOfTheSpecification() {
        let request = ColorRequest(path: Array("/a".utf8))
        let reply = Reply.color(
            id: .integer(1), request, of: Self.summary(.flat(.white)))
        let expected = #"{"id":1,"result":{\#(Self.image)\#(Self.white)}}"# + "\n"
        #expect(String(decoding: reply, as: UTF8.self) == expected)
    }

    @Test func whereNothingCanBeSeenEverythingIsNull() {
        let request = ColorRequest(path: Array("/a".utf8))
        let reply = Reply.color(
            id: nil, request, of: Self.summary(AreaSummary()))
        let expected = #"{"result":{\#(Self.image)\#(Self.nothing)}}"# + "\n"
        #expect(String(decoding: reply, as: UTF8.self) == expected)
    }

    @Test func regionsGoByTheirRequestsNamesAndOrder() {
        let left = RegionRectangle(x: 0, y: 0, width: 0.5, height: 1)
        let right = RegionRectangle(x: 0.5, y: 0, width: 0.5, height: 1)
        let request = ColorRequest(
            path: Array("/a".utf8), regions: [("z\"", right), ("a", left), ("again", right)])
        // The summary has them in the job's order: left, right.
        let reply = Reply.color(
            id: .string("x"), request,
            of: Self.summary(AreaSummary(), AreaSummary(), .flat(.white)))
        let expected =
            #"{"id":"x","result":{\#(Self.image)\#(Self.nothing),"regions":{"#
            + #""z\"":{\#(Self.white)},"a":{\#(Self.nothing)},"again":{\#(Self.white)}}}}"# + "\n"
        #expect(String(decoding: reply, as: UTF8.self) == expected)
    }

    @Test func theAverageAskedForIsTheBackground() {
        var area = AreaSummary.flat(.white)
        area.squareRoot = SIMD3(180.31, 0, 255)
        let request = ColorRequest(path: Array("/a".utf8), average: .squareRoot)
        let reply = Reply.color(id: nil, request, of: Self.summary(area))
        #expect(String(decoding: reply, as: UTF8.self).contains(##""background":"#b400ff""##))
    }

    @Test func ratiosAreTruncatedAndScrimsRoundedUp() {
        let grey = RGB8(red: 0x76, green: 0x76, blue: 0x76)
        let request = ColorRequest(path: Array("/a".utf8), contrast: 7)
        let reply = Reply.color(id: nil, request, of: Self.summary(.flat(grey)))
        let text = String(decoding: reply, as: UTF8.self)
        // The ratio is 4.6232848.
        #expect(
            text.contains(##""foreground":{"color":"#000000","contrast":4.62328,"meets":false}"##))
        // 7 takes the luminance 0.3, which #959595 is the first to have: 118 + 137 × 57 / 255 is
        // 148.62, and 57 / 255 is 0.2235294.
        #expect(text.contains(##""scrim":{"color":"#ffffff","opacity":0.22353}"##))
    }
}
