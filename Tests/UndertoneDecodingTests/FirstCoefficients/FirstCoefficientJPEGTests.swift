import Testing
import UndertoneColor

@testable import UndertoneDecoding

@Suite("First coefficients are written again as libjpeg reads them")
struct FirstCoefficientJPEGTests {
    static let names = [
        "420", "444-alone", "420-alone", "420-pairs", "422-restart", "420-alone-restart", "411",
        "410", "440", "wide-colors", "gray", "coarse", "fine", "cmyk", "ycck",
    ]

    private func outline(_ bytes: [UInt8]) -> PictureOutline {
        JPEGScanner.outline(bytes.span, fileLength: bytes.count)
    }

    /// What libjpeg writes of a file; a span cannot be an argument within an expectation.
    private func transcoded(_ bytes: [UInt8]) -> [UInt8]? { SequentialJPEG.make(bytes.span) }

    /// The headers and the scans of first coefficients of a file, as a file.
    private func selected(_ bytes: [UInt8]) throws -> [UInt8] {
        let scans = try #require(outline(bytes).scans)
        var selected: [UInt8] = []
        for case .file(let range) in scans.onlyFirstCoefficients().pieces {
            selected += bytes[range]
        }
        return selected + [0xFF, 0xD9]
    }

    /// The rows of pixels at a fraction of the size.
    private func rows(_ bytes: [UInt8], scale: Int) throws -> [[UInt8]] {
        let loader = try PixbufLoader(module: "jpeg") { size in
            .scale(
                PixelSize(
                    width: (size.width + scale - 1) / scale,
                    height: (size.height + scale - 1) / scale))
        }
        try loader.write(bytes.span)
        try loader.close()
        let pixbuf = try #require(loader.pixbuf())
        return (0..<pixbuf.size.height).map { unsafe Array(pixbuf.row($0)) }
    }

    @Test("Every pixel, whatever the sampling and the order", arguments: names)
    func pixels(name: String) throws {
        let bytes = try Fixture.bytes("first-\(name).jpg")
        let written = try #require(FirstCoefficients.written(bytes))
        let scans = try #require(outline(written).scans)
        #expect(scans.scans.count == 1 && !scans.isProgressive && outline(written).isDetailed)
        let selected = try selected(bytes)
        let expected = try #require(transcoded(selected))
        for scale in [8, 1] {
            let found = try rows(written, scale: scale)
            #expect(Set(found).count > 5)
            #expect(try found == rows(expected, scale: scale))
            // Nor does the loader make anything else of the scans themselves.
            #expect(try found == rows(selected, scale: scale))
        }
    }

    @Test("Where no component has fewer blocks, an eighth of the size needs nothing else")
    func eighth() throws {
        for name in ["first-gray.jpg", "first-444-alone.jpg", "eighth-progressive.jpg"] {
            let bytes = try Fixture.bytes(name)
            let written = try #require(FirstCoefficients.written(bytes))
            let whole = try #require(transcoded(bytes))
            #expect(try rows(written, scale: 8) == rows(whole, scale: 8))
        }
    }

    @Test("Each block takes its code, its difference and the code of its end")
    func bits() throws {
        // Two blocks, of a code of one bit for category 3: 5, and 7 less, which is written as 000.
        let file = FirstCoefficients(width: 16, categories: [3], data: [0b0101_0000])
        let written = try #require(file.written())
        #expect(data(written) == [0b0011_1010, 0b0011_0000])
        // 16,383, with a zero behind the byte of ones; and 32,767 less, whose category's own code
        // has five bits.
        let wide = FirstCoefficients(
            width: 16, categories: [14, 15], data: [0b0111_1111, 0xFF, 0, 0, 0])
        let wideWritten = try #require(wide.written())
        #expect(data(wideWritten) == [0b1110_1111, 0xFF, 0, 0b1101_1110, 0, 0])
    }

    /// The entropy-coded data of the only scan.
    private func data(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        guard let range = outline(bytes).scans?.scans.first?.range else { return [] }
        // A scan's header of one component has ten bytes, with its marker.
        return bytes[range].dropFirst(10)
    }

    @Test("The orientation, the color profile and the steps of two bytes come along")
    func markers() throws {
        let bytes = try Fixture.bytes("first-coarse.jpg")
        let exif = FirstCoefficients.segment(0xE1, Array("Exif\0\0".utf8) + Quarters.exif(6))
        let profile = FirstCoefficients.segment(
            0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + [UInt8](1...99))
        let written = try #require(
            FirstCoefficients.written(Array(bytes[..<2] + exif + profile + bytes[2...])))
        #expect(outline(written).orientation == 6)
        #expect(written.firstRange(of: profile) != nil)
        let steps = try #require(bytes.firstRange(of: [0xFF, 0xDB, 0x00, 0x83, 0x10]))
        #expect(written.firstRange(of: bytes[steps.lowerBound..<steps.lowerBound + 133]) != nil)
    }
}
