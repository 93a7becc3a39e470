import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneDecoding

@Suite("PNG pictures decode to right averages")
struct PNGDecodingTests {
    @Test("Alpha weighs: half-transparent red beside opaque blue")
    func alphaWeighs() throws {
        let picture = PNGWriter(width: 16, height: 16, colorType: .rgba) { x, _ in
            x < 8 ? [255, 0, 0, 128] : [0, 0, 255, 255]
        }
        let summary = try summary(picture.bytes())
        #expect(isClose(summary.picture.simple, 255.0 * 128 / 383, 0, 255.0 * 255 / 383))
        #expect(abs(summary.picture.opacity - 383.0 / 510) < 0.001)
        #expect(summary.image.complete)
        #expect(summary.image.format == .png)
        #expect(summary.image.profile == .none)
        #expect(summary.image.orientation == 1)
    }

    @Test("A larger picture is reduced, and its mean stays")
    func reduces() throws {
        let picture = PNGWriter(width: 1000, height: 700) { x, y in
            [UInt8(x * 7 % 256), UInt8(y * 5 % 256), UInt8((x + y) % 256)]
        }
        var expected = SIMD3<Double>()
        for y in 0..<700 {
            for x in 0..<1000 {
                expected += SIMD3(Double(x * 7 % 256), Double(y * 5 % 256), Double((x + y) % 256))
            }
        }
        expected /= 700_000
        let auto = try summary(picture.bytes())
        let exact = try summary(picture.bytes(), sampling: .exact)
        #expect(isClose(auto.picture.simple, expected.x, expected.y, expected.z, within: 0.01))
        #expect(isClose(exact.picture.simple, expected.x, expected.y, expected.z, within: 0.001))
        #expect(auto.image.width == 1000 && auto.image.height == 700)
        #expect(auto.image.sampling == .auto && exact.image.sampling == .exact)
    }
}
