import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneDecoding

@Suite("Progressive JPEGs are written again where each scan would be transformed")
struct SequentialJPEGTests {
    private func decoded(_ bytes: [UInt8]) throws -> (size: PixelSize, rows: [[UInt8]]) {
        let loader = try PixbufLoader(module: "jpeg") { _ in .keep }
        try loader.write(bytes.span)
        try loader.close()
        let pixbuf = try #require(loader.pixbuf())
        return (pixbuf.size, (0..<pixbuf.size.height).map { unsafe Array(pixbuf.row($0)) })
    }

    private func outline(_ bytes: [UInt8]) -> PictureOutline {
        JPEGScanner.outline(bytes.span, fileLength: bytes.count)
    }

    /// A span cannot be an argument within an expectation.
    private func make(_ bytes: [UInt8]) -> [UInt8]? { SequentialJPEG.make(bytes.span) }

    private func ofAllCoefficients(_ bytes: [UInt8], _ sampling: Sampling) -> SequentialJPEG? {
        SequentialJPEG.ofAllCoefficients(
            bytes.span, outline: outline(bytes),
            plan: DecodingPlan(format: .jpeg, sampling: sampling))
    }

    private func ofFirstCoefficients(_ bytes: [UInt8], _ sampling: Sampling) -> SequentialJPEG? {
        let plan = DecodingPlan(format: .jpeg, sampling: sampling)
        return SequentialJPEG.ofFirstCoefficients(
            bytes.span, outline: plan.selectScans(outline(bytes)), plan: plan)
    }

    @Test(
        "Every pixel stays as it is",
        arguments: ["progressive.jpg", "separate-first-scans.jpg", "eighth-progressive.jpg"])
    func pixels(name: String) throws {
        let bytes = try Fixture.bytes(name)
        let written = try #require(make(bytes))
        let scans = try #require(outline(written).scans)
        #expect(!scans.isProgressive && scans.passes == 1)
        let (before, after) = (try decoded(bytes), try decoded(written))
        #expect(before.size == after.size)
        #expect(before.rows == after.rows)
    }

    @Test("Arithmetic coding, which the loader cannot read on where 64 KiB end")
    func arithmetic() throws {
        let large = try Fixture.bytes("large-arithmetic.jpg")
        #expect(large.count > 64 << 10)
        for sampling in [Sampling.auto, .exact] {
            let summary = try summary(large, sampling: sampling)
            #expect(summary.image.complete)
            #expect(isClose(summary.picture.simple, 128, 128, 128, within: 0.5))
        }
        #expect(ofFirstCoefficients(large, .auto) == nil)
        // What is not whole is left to the loader.
        for part in [0.5, 0.9] { #expect(ofAllCoefficients(large.cut(part), .auto) == nil) }
        // All coefficients are held: of a picture that takes too many, it is said before.
        var huge = large
        let frame = try #require(huge.firstRange(of: [0xFF, 0xC9]))
        huge.replaceSubrange(frame.lowerBound + 5..<frame.lowerBound + 9, with: [0x80, 0, 0x80, 0])
        #expect(try failure(huge) == .imageTooLarge)
    }

    @Test("Only where the picture is large and decoded whole")
    func choice() throws {
        let large = try Fixture.bytes("eighth-progressive.jpg")
        let found = try #require(ofAllCoefficients(large, .exact))
        #expect(found.outline.scans?.passes == 1)
        #expect(found.outline.isDetailed && found.outline.end == .seen)
        #expect(ofAllCoefficients(large, .auto) == nil)
        #expect(ofAllCoefficients(try Fixture.bytes("progressive.jpg"), .exact) == nil)
        #expect(ofAllCoefficients(try Fixture.bytes("baseline.jpg"), .exact) == nil)

        let mean = try #require(try PixbufMean.of(large))
        let summary = try summary(large, sampling: .exact)
        #expect(summary.image.complete)
        #expect(isClose(summary.picture.simple, mean.x, mean.y, mean.z, within: 0.001))
    }

    @Test("At an eighth only first coefficients, of a whole picture, and next to no memory")
    func firstCoefficients() throws {
        let large = try Fixture.bytes("eighth-progressive.jpg")
        let found = try #require(ofFirstCoefficients(large, .auto))
        #expect(found.outline.scans?.passes == 1)
        #expect(found.outline.isDetailed && found.outline.end == .seen)
        #expect(found.outline.size == PixelSize(width: 3847, height: 515))
        let plan = DecodingPlan(format: .jpeg, sampling: .auto)
        #expect(plan.memory(for: found.outline) == 4 * 481 * 65)
        #expect(ofFirstCoefficients(large, .exact) == nil)
        #expect(ofFirstCoefficients(try Fixture.bytes("progressive.jpg"), .auto) == nil)
        #expect(ofFirstCoefficients(try Fixture.bytes("quarter.jpg"), .auto) == nil)
        // Without its end, and with it, but without its last scan.
        #expect(ofFirstCoefficients(large.dropLast(2), .auto) == nil)
        let last = try #require(outline(large).scans?.scans.last).range
        let cut = Array(large[..<last.lowerBound]) + [0xFF, 0xD9]
        #expect(ofFirstCoefficients(cut, .auto) == nil)
    }

    @Test("The orientation and the color profile come along")
    func markers() throws {
        let bytes = try Fixture.bytes("progressive.jpg")
        func segment(_ code: UInt8, _ content: [UInt8]) -> [UInt8] {
            let length = content.count + 2
            return [0xFF, code, UInt8(length >> 8), UInt8(length & 255)] + content
        }
        let exif = segment(0xE1, Array("Exif\0\0".utf8) + Quarters.exif(6))
        let profile = segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + [UInt8](1...99))
        let marked = bytes[..<2] + exif + profile + bytes[2...]
        let written = try #require(make(Array(marked)))
        #expect(outline(written).orientation == 6)
        #expect(written.firstRange(of: profile) != nil)
    }

    @Test("What has the least fault is left as it is")
    func faults() throws {
        let bytes = try Fixture.bytes("progressive.jpg")
        #expect(make(Array(bytes[..<(bytes.count / 2)])) == nil)
        #expect(make([UInt8](repeating: 0xFF, count: 300)) == nil)
        #expect(make([]) == nil)
        // Zeros in the midst of the data of a scan.
        var damaged = bytes
        for index in bytes.count / 2..<bytes.count / 2 + 40 { damaged[index] = 0 }
        #expect(make(damaged) == nil)
    }
}
