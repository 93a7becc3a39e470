import Testing
import UndertoneColor

@testable import UndertoneProtocol

struct TransitionReplyTests {
    private static let picture = TransitionRequest.End.picture(DecodeJob(path: [0x2f]))
    private static let red = ImageSummary.test([(RGB8(packed: 0xc8_1414), Float(1))])

    private func reply(_ request: TransitionRequest, of summaries: ImageSummary...) -> String {
        String(decoding: Reply.transition(id: nil, request, of: summaries), as: UTF8.self)
    }

    @Test func hasTheShapeOfTheSpecification() {
        let request = TransitionRequest(
            from: .color(RGB8(packed: 0x80_8080)), to: Self.picture, frames: 2, space: .srgb)
        let text = reply(request, of: Self.red)
        let expected = ##"""
            {"result":{"from":{"color":"#808080"},\##
            "to":{"color":"#c81414",\##(ImageSummary.testImage)},"space":"srgb","flip":
            """##
        #expect(text.hasPrefix(expected))
        let frames = ##"""
            ,"lowest":5.31721,"frames":[{"position":0,"background":"#808080",\##
            "foreground":{"color":"#000000","contrast":5.31721,"meets":true},\##
            "secondary":{"color":"#171717","contrast":4.53933,"meets":true}},\##
            {"position":1,"background":"#c81414",\##
            "foreground":{"color":"#ffffff","contrast":5.88889,"meets":true},\##
            "secondary":{"color":"#f7dbdb","contrast":4.51771,"meets":true}}]}}

            """##
        #expect(text.hasSuffix(frames))
    }

    @Test func picturesComeInTheOrderOfTheEnds() {
        let request = TransitionRequest(from: Self.picture, to: Self.picture, frames: 2)
        let text = reply(request, of: .test([(.white, Float(1))]), Self.red)
        #expect(text.hasPrefix(##"{"result":{"from":{"color":"#ffffff","image":"##))
        #expect(text.contains(##""to":{"color":"#c81414","image":"##))
    }

    @Test(arguments: [2, 3, 7, 240])
    func framesAreEvenlySpaced(count: Int) throws {
        let text = reply(TransitionRequest(from: .color(.black), to: .color(.white), frames: count))
        let positions = text.split(separator: #""position":"#).dropFirst()
            .compactMap { Double(String($0.prefix { $0 != "," })) }
        #expect(positions.count == count)
        for (index, position) in positions.enumerated() {
            #expect(abs(position - Double(index) / Double(count - 1)) < 1e-6)
        }
        #expect(positions.first == 0 && positions.last == 1)
    }

    @Test func theAverageAskedForIsTheEnd() {
        var summary = Self.red
        summary.picture.squareRoot = SIMD3(180.31, 0, 255)
        let request = TransitionRequest(
            from: Self.picture, to: .color(.black), frames: 2, average: .squareRoot)
        let text = reply(request, of: summary)
        #expect(text.hasPrefix(##"{"result":{"from":{"color":"#b400ff","##))
    }

    @Test func whereNothingCanBeSeenThereIsNoWay() {
        let request = TransitionRequest(from: .color(.white), to: Self.picture)
        let expected = ##"""
            {"result":{"from":{"color":"#ffffff"},"to":{"color":null,\##(ImageSummary.testImage)},\##
            "space":"oklab","flip":null,"lowest":null,"frames":[]}}

            """##
        #expect(reply(request, of: .test([])) == expected)
    }
}
