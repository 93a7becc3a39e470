import Glibc
import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneDecoding

@Suite("What cannot or may not be decoded gets its code at once")
struct RefusalTests {
    private func header(_ width: Int, _ height: Int, png: Bool = true) -> [UInt8] {
        var file: [UInt8] = [0x89] + Array("PNG\r\n\u{1A}\n".utf8)
        file += PNGWriter.chunk("IHDR", .big(width, 4) + .big(height, 4) + [8, 6, 0, 0, 0])
        return file + PNGWriter.chunk("IEND", [])
    }

    @Test("No bytes, few bytes, and bytes of no format")
    func notPictures() throws {
        #expect(try failure([]) == .decodeFailed)
        for bytes: [UInt8] in [
            [0], [0x89], Array("GIF8".utf8), Array("hello, world".utf8),
            (0..<5000).map { UInt8($0 * 7 % 251) },
        ] {
            #expect(try failure(bytes) == .unsupportedFormat)
        }
        for bytes: [UInt8] in [
            [0xFF, 0xD8, 0xFF], Array("GIF89a".utf8), [0x89] + Array("PNG\r\n\u{1A}\n".utf8),
            Array("P6\n".utf8), Array("II*\0".utf8), Array("RIFF\0\0\0\0WEBP".utf8),
        ] {
            #expect(try failure(bytes) == .decodeFailed)
        }
    }

    @Test("Sizes beyond the limits, before anything is allocated")
    func bombs() throws {
        let start = processorSeconds()
        #expect(try failure(header(60_000, 60_000)) == .imageTooLarge)
        #expect(try failure(header(30_000, 30_000)) == .imageTooLarge)
        #expect(try failure(header(0x7FFF_FFFF, 0x7FFF_FFFF)) == .imageTooLarge)
        #expect(try failure(header(10_001, 10_000)) == .imageTooLarge)
        #expect(try failure(header(0, 5)) == .decodeFailed)
        #expect(try failure(header(5, 0)) == .decodeFailed)
        var gif = GIFWriter(width: 65_535, height: 65_535, palette: [[0, 0, 0]], frames: []).bytes()
        #expect(try failure(gif) == .imageTooLarge)
        gif += [UInt8](repeating: 0x2C, count: 20)
        #expect(try failure(gif) == .imageTooLarge)
        #expect(try failure(Array("P6 40000 40000 255\n".utf8)) == .imageTooLarge)
        var webP = try Fixture.bytes("lossless.webp")
        // 16383 twice, in fourteen bits each, less one.
        webP.replaceSubrange(21..<25, with: [0xFE, 0xBF, 0xFF, 0x0F])
        #expect(try failure(webP) == .imageTooLarge)
        var bmp = BMPWriter.rgb(width: 1, height: 1) { _, _ in [1, 2, 3] }
        bmp.replaceSubrange(18..<26, with: [0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 0, 0])
        #expect(try failure(bmp) == .imageTooLarge)
        var tiff = TIFFWriter(width: 1, height: 1, pixels: [[1, 2, 3]])
        tiff.width = 50_000
        tiff.height = 50_000
        #expect(try failure(tiff.bytes()) == .imageTooLarge)
        #expect(processorSeconds() - start < 2)
    }

    @Test("A JPEG counts by the size at which it is decoded")
    func jpegLimits() throws {
        func plan(_ sampling: Sampling) -> DecodingPlan {
            DecodingPlan(format: .jpeg, sampling: sampling)
        }
        // A thousand million pixels, of which a sixty-fourth is allocated.
        let huge = PixelSize(width: 32_000, height: 32_000)
        #expect(throws: Never.self) { try plan(.auto).check(huge) }
        #expect(throws: RequestError.self) { try plan(.exact).check(huge) }
        let larger = PixelSize(width: 65_500, height: 65_500)
        #expect(throws: RequestError.self) { try plan(.auto).check(larger) }
        // A progressive one is kept in memory whole.
        var bytes = try Fixture.bytes("progressive.jpg")
        let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC2 })
        bytes.replaceSubrange(frame + 5..<frame + 9, with: [0x5F, 0, 0x5F, 0])
        #expect(try failure(bytes) == .imageTooLarge)
    }

    @Test("Loaders that report a size of their own are refused too", arguments: ["webp", "png"])
    func refusal(module: String) throws {
        let bytes =
            module == "webp"
            ? try Fixture.bytes("lossy.webp")
            : PNGWriter(width: 9, height: 9) { _, _ in [1, 2, 3] }.bytes()
        let loader = try PixbufLoader(module: module) { _ in .refuse }
        #expect(throws: PixbufLoader.Failure.self) { try loader.write(bytes.span) }
        #expect(loader.isRefused)
    }

    @Test(
        "A refusal comes before the pixels are allocated",
        arguments: ["png", "jpeg", "gif", "bmp"])
    func nothingAllocated(module: String) throws {
        let bytes =
            switch module {
            case "png": PNGWriter(width: 9, height: 9) { _, _ in [1, 2, 3] }.bytes()
            case "bmp": BMPWriter.rgb(width: 9, height: 9) { _, _ in [1, 2, 3] }
            default: try Fixture.bytes(module == "gif" ? "picture.gif" : "baseline.jpg")
            }
        // The detector detects: what is kept has its pixels by then.
        let keeping = try PixbufLoader(module: module) { _ in .keep }
        try keeping.write(bytes.span)
        #expect(keeping.pixbuf() != nil)
        let refusing = try PixbufLoader(module: module) { _ in .refuse }
        #expect(throws: PixbufLoader.Failure.self) { try refusing.write(bytes.span) }
        #expect(refusing.pixbuf() == nil)
    }

    @Test("SVG and HEIC wait for the wide profile")
    func wide() throws {
        let svg = Array("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>".utf8)
        #expect(try report(svg, allowWide: false) == .needsWideProfile)
        #expect(try report(Fixture.bytes("picture.heic"), allowWide: false) == .needsWideProfile)
        if case .summary = try report(Fixture.bytes("picture.avif"), allowWide: false) {
        } else {
            Issue.record("AVIF needs no wide profile")
        }
    }

    @Test("A file that changes while it is read")
    func changed() throws {
        let descriptor = try anonymousFile(
            PNGWriter(width: 2, height: 2) { _, _ in [1, 2, 3] }.bytes())
        defer { close(descriptor) }
        var identity = try FileIdentity.of(descriptor: descriptor)
        identity.changed -= 1
        let report = PictureDecoder.decode(
            descriptor: descriptor, job: DecodeJob(path: []), identity: identity, allowWide: true)
        guard case .failure(let error) = report else {
            Issue.record("\(report)")
            return
        }
        #expect(error.code == .fileChanged)
    }

    @Test("A descriptor that cannot be read")
    func unreadable() throws {
        let descriptor = unsafe open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        var identity = try FileIdentity.of(descriptor: descriptor)
        identity.size = 4096
        let report = PictureDecoder.decode(
            descriptor: descriptor, job: DecodeJob(path: []), identity: identity, allowWide: true)
        guard case .failure(let error) = report else {
            Issue.record("\(report)")
            return
        }
        #expect(error.code == .readFailed)
    }

    @Test("Larger files than the limit are not even read, nor those whose loaders keep a copy")
    func largeFile() throws {
        try expectTooLarge([1], length: Limits.fileBytes + 1)
        for name in ["picture.avif", "picture.heic"] {
            try expectTooLarge(Fixture.bytes(name), length: Limits.wholeFileBytes + 1)
        }
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>"
        try expectTooLarge(Array(svg.utf8), length: Limits.wholeFileBytes + 1)
    }

    private func expectTooLarge(_ bytes: [UInt8], length: Int) throws {
        let descriptor = try anonymousFile(bytes)
        defer { close(descriptor) }
        try #require(ftruncate(descriptor, off_t(length)) == 0)
        let identity = try FileIdentity.of(descriptor: descriptor)
        let report = PictureDecoder.decode(
            descriptor: descriptor, job: DecodeJob(path: []), identity: identity, allowWide: true)
        guard case .failure(let error) = report else {
            Issue.record("\(report)")
            return
        }
        #expect(error.code == .imageTooLarge)
    }

    @Test("All formats are installed on this machine, and load")
    func installed() {
        PictureDecoder.preload(ImageFormat.allCases)
        #expect(PictureDecoder.installedFormats() == Set(ImageFormat.allCases))
    }
}
