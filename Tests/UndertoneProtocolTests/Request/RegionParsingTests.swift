import Testing

@testable import UndertoneProtocol

struct RegionParsingTests {
    @Test(arguments: [
        (#"{"edge":"top","size":0.25}"#, RegionRectangle(x: 0, y: 0, width: 1, height: 0.25)),
        (#"{"edge":"bottom","size":0.25}"#, RegionRectangle(x: 0, y: 0.75, width: 1, height: 0.25)),
        (#"{"edge":"left","size":0.25}"#, RegionRectangle(x: 0, y: 0, width: 0.25, height: 1)),
        (#"{"edge":"right","size":1}"#, RegionRectangle(x: 0, y: 0, width: 1, height: 1)),
        (
            #"{"x":0.5,"y":0,"width":0.5,"height":0.125}"#,
            RegionRectangle(x: 0.5, y: 0, width: 0.5, height: 0.125)
        ),
        (
            #"{"x":-0.0,"y":-0,"width":1,"height":1}"#,
            RegionRectangle(x: 0, y: 0, width: 1, height: 1)
        ),
    ])
    func understandsAnArea(text: String, area: RegionRectangle) throws {
        let request = try colorRequest(#"{"a":\#(text)}"#)
        #expect(request.job.regions == [area])
        #expect(request.job.regions[0].x.sign == .plus)
    }

    @Test func letsRoundingStandOutAndCutsItOff() throws {
        // 0.1 + 0.9000001 is above 1, as is a third three times with six digits.
        let request = try colorRequest(
            #"{"a":{"x":0.1,"y":0.666667,"width":0.9000001,"height":0.333334}}"#)
        let area = request.job.regions[0]
        #expect(area.x + area.width <= 1)
        #expect(area.y + area.height <= 1)
        #expect(abs(area.width - 0.9) < 1e-9)
    }

    @Test(arguments: [
        #"{"x":0.9999999999999999,"y":0,"width":1e-300,"height":5e-324}"#,
        #"{"edge":"bottom","size":1e-300}"#, #"{"edge":"right","size":5e-324}"#,
    ])
    func widensWhatIsTooSmallToBeANumber(text: String) throws {
        let area = try colorRequest(#"{"a":\#(text)}"#).job.regions[0]
        #expect(area.width >= 0.9e-6 && area.height >= 0.9e-6)
        #expect(area.x + area.width <= 1 && area.y + area.height <= 1)
    }

    @Test func oneJobForTheSameAreasByAnyNameInAnyOrder() throws {
        let one = try colorRequest(
            #"{"bar":{"edge":"top","size":0.5},"whole":{"x":0,"y":0,"width":1,"height":1}}"#)
        let other = try colorRequest(
            """
            {"all":{"x":0,"y":0,"width":1,"height":1},"b":{"x":0,"y":0,"width":1,"height":0.5},
            "c":{"edge":"top","size":0.5}}
            """)
        #expect(one.job == other.job)
        #expect(one.job.regions.count == 2)
        // The reply keeps the names and the order of its request.
        #expect(one.regionNames == ["bar", "whole"])
        #expect(one.regionIndices == [0, 1])
        #expect(other.regionNames == ["all", "b", "c"])
        #expect(other.regionIndices == [1, 0, 0])
    }

    @Test func noRegionsIsAnEmptyList() throws {
        #expect(try colorRequest("{}") == ColorRequest(path: Array("/a".utf8)))
    }

    @Test func takesSixteenOfThemWithNamesOf64Bytes() throws {
        let area = #"{"edge":"top","size":0.5}"#
        func many(_ count: Int) -> String {
            "{" + (0..<count).map { #""r\#($0)":\#(area)"# }.joined(separator: ",") + "}"
        }
        #expect(try colorRequest(many(16)).regionNames.count == 16)
        #expect(message(many(17)) == "regions must be at most 16")
        let longest = String(repeating: "é", count: 32)
        #expect(try colorRequest(#"{"\#(longest)":\#(area)}"#).regionNames == [longest])
        let message = "a name in regions must be 1 to 64 bytes long"
        #expect(self.message(#"{"\#(longest)x":\#(area)}"#) == message)
        #expect(self.message(#"{"":\#(area)}"#) == message)
    }

    @Test(arguments: [
        ("[]", "regions must be an object of names and areas"),
        ("null", "regions must be an object of names and areas"),
        (#"{"top":0.1}"#, "regions.top must be an object"),
        (#"{"top":{}}"#, "regions.top.x is missing"),
        (#"{"top":{"edge":"top"}}"#, "regions.top.size is missing"),
        (#"{"top":{"edge":"top","size":0}}"#, "regions.top.size must be above 0 and at most 1"),
        (#"{"top":{"edge":"top","size":1.001}}"#, "regions.top.size must be above 0 and at most 1"),
        (#"{"top":{"edge":"top","size":"1"}}"#, "regions.top.size must be above 0 and at most 1"),
        (
            #"{"top":{"edge":"up","size":1}}"#,
            "regions.top.edge must be one of: top, bottom, left, right"
        ),
        (#"{"top":{"edge":"top","size":1,"x":0}}"#, "unknown field regions.top.x"),
        (#"{"a":{"x":0,"y":0,"width":1,"height":1,"size":1}}"#, "unknown field regions.a.size"),
        (
            #"{"a":{"x":-0.1,"y":0,"width":1,"height":1}}"#,
            "regions.a.x must be at least 0 and below 1"
        ),
        (
            #"{"a":{"x":0,"y":1,"width":1,"height":1}}"#,
            "regions.a.y must be at least 0 and below 1"
        ),
        (
            #"{"a":{"x":0,"y":0,"width":0,"height":1}}"#,
            "regions.a.width must be above 0 and at most 1"
        ),
        (
            #"{"a":{"x":0,"y":0,"width":1,"height":-1}}"#,
            "regions.a.height must be above 0 and at most 1"
        ),
        (#"{"a":{"x":0,"y":0,"width":1}}"#, "regions.a.height is missing"),
        (
            #"{"a":{"x":0.5,"y":0,"width":0.51,"height":1}}"#,
            "regions.a.x + width must be at most 1"
        ),
        (
            #"{"a":{"x":0,"y":0.5,"width":1,"height":0.51}}"#,
            "regions.a.y + height must be at most 1"
        ),
    ])
    func namesTheFieldThatIsWrong(regions: String, message: String) {
        #expect(self.message(regions) == message)
    }

    private func message(_ regions: String) -> String {
        rejection(#"{"path":"/a","regions":\#(regions)}"#).error.message
    }

    private func colorRequest(_ regions: String) throws -> ColorRequest {
        let line = #"{"path":"/a","regions":\#(regions)}"#
        let request = try Request(parsing: Array(line.utf8))
        guard case .picture(let question) = request.operation,
            case .color(let color) = question.request
        else {
            throw RequestError(.internal, "not color")
        }
        return color
    }
}
