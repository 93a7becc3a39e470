import Testing
import UndertoneColor

@testable import UndertoneProtocol

struct ColorReplyTests {
    private static let facts = ImageFacts(
        width: 4000, height: 6000, format: .jpeg, orientation: 6, profile: .converted,
        complete: true, sampling: .auto)

    /// What an opaque area of one colour is reduced to.
    private static func flat(_ color: RGB8) -> AreaSummary {
        var area = AreaSummary()
        let encoded = SIMD3(Double(color.red), Double(color.green), Double(color.blue))
        area.opacity = 1
        area.simple = encoded
        area.squareRoot = encoded
        let luminance = color.relativeLuminance
        area.linear = SIMD3(repeating: luminance)
        area.oklab = SIMD3(luminance == 1 ? 1 : 0, 0, 0)
        area.luminance.mean = luminance
        area.luminance.min = luminance
        area.luminance.p05 = luminance
        area.luminance.p50 = luminance
        area.luminance.p95 = luminance
        area.luminance.max = luminance
        let rank = UInt16(color.red) * 257
        area.underWhiteText = Array(repeating: rank, count: 256)
        area.underBlackText = Array(repeating: rank, count: 256)
        area.worstUnderBlackScrim = Array(repeating: color, count: 256)
        area.worstUnderWhiteScrim = Array(repeating: color, count: 256)
        return area
    }

    private static func summary(_ picture: AreaSummary, _ regions: AreaSummary...) -> ImageSummary {
        let identity = FileIdentity(device: 1, inode: 2, size: 3, modified: 4, changed: 5)
        return ImageSummary(
            image: facts, identityBefore: identity, identityAfter: identity, picture: picture,
            regions: regions, clusters: [])
    }

    private static let image = """
        "image":{"width":4000,"height":6000,"format":"jpeg","orientation":6,\
        "profile":"converted","complete":true,"sampling":"auto"},
        """

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
            id: .integer(1), request: request, summary: Self.summary(Self.flat(.white)))
        let expected = #"{"id":1,"result":{\#(Self.image)\#(Self.white)}}"# + "\n"
        #expect(String(decoding: reply, as: UTF8.self) == expected)
    }

    @Test func whereNothingCanBeSeenEverythingIsNull() {
        let request = ColorRequest(path: Array("/a".utf8))
        let reply = Reply.color(
            id: nil, request: request, summary: Self.summary(AreaSummary()))
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
            id: .string("x"), request: request,
            summary: Self.summary(AreaSummary(), AreaSummary(), Self.flat(.white)))
        let expected =
            #"{"id":"x","result":{\#(Self.image)\#(Self.nothing),"regions":{"#
            + #""z\"":{\#(Self.white)},"a":{\#(Self.nothing)},"again":{\#(Self.white)}}}}"# + "\n"
        #expect(String(decoding: reply, as: UTF8.self) == expected)
    }

    @Test func theAverageAskedForIsTheBackground() {
        var area = Self.flat(.white)
        area.squareRoot = SIMD3(180.31, 0, 255)
        let request = ColorRequest(path: Array("/a".utf8), average: .squareRoot)
        let reply = Reply.color(id: nil, request: request, summary: Self.summary(area))
        #expect(String(decoding: reply, as: UTF8.self).contains(##""background":"#b400ff""##))
    }

    @Test func ratiosAreTruncatedAndScrimsRoundedUp() {
        let grey = RGB8(red: 0x76, green: 0x76, blue: 0x76)
        let request = ColorRequest(path: Array("/a".utf8), contrast: 7)
        let reply = Reply.color(id: nil, request: request, summary: Self.summary(Self.flat(grey)))
        let text = String(decoding: reply, as: UTF8.self)
        // The ratio is 4.6232848.
        #expect(
            text.contains(##""foreground":{"color":"#000000","contrast":4.62328,"meets":false}"##))
        // 7 takes the luminance 0.3, which #959595 is the first to have: 118 + 137 × 57 / 255 is
        // 148.62, and 57 / 255 is 0.2235294.
        #expect(text.contains(##""scrim":{"color":"#ffffff","opacity":0.22353}"##))
    }

    @Test func aSummaryOfOtherRegionsIsAnInternalError() {
        let request = ColorRequest(
            path: Array("/a".utf8), regions: [("a", .init(x: 0, y: 0, width: 1, height: 1))])
        let reply = Reply.color(id: nil, request: request, summary: Self.summary(AreaSummary()))
        let start = #"{"error":{"code":"internal","#
        #expect(String(decoding: reply, as: UTF8.self).hasPrefix(start))
    }
}
