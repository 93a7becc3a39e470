import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneDecoding

@Suite("TIFF pictures decode to right averages")
struct TIFFDecodingTests {
    /// Four pixels of one color, of 8 or 16 bits.
    private func flat(_ samples: [Int], bits: Int) -> TIFFWriter {
        let wide = samples.map { bits == 16 ? $0 * 257 : $0 }
        var writer = TIFFWriter(width: 2, height: 2, pixels: [[Int]](repeating: wide, count: 4))
        writer.bits = bits
        return writer
    }

    @Test("Straight, associated and unspecified alpha", arguments: [8, 16])
    func alpha(bits: Int) throws {
        let straight = [200, 100, 50, 128]
        let associated = [100, 50, 25, 128]
        for (extra, samples) in [(2, straight), (1, associated)] {
            var writer = flat(samples, bits: bits)
            writer.extraSample = extra
            for isLittleEndian in [true, false] {
                writer.isLittleEndian = isLittleEndian
                let area = try summary(writer.bytes()).picture
                // Eight bits of a color times an alpha of one half leave one unit of doubt.
                #expect(isClose(area.simple, 200, 100, 50, within: 1))
                #expect(abs(area.opacity - 128.0 / 255) < 0.001)
            }
        }
    }

    @Test("A fourth sample that is nothing in particular is no alpha", arguments: [8, 16])
    func unspecified(bits: Int) throws {
        for other in [0, 1, 128, 255] {
            var writer = flat([200, 100, 50, other], bits: bits)
            for extra in [0, nil] {
                writer.extraSample = extra
                for isLittleEndian in [true, false] {
                    writer.isLittleEndian = isLittleEndian
                    let area = try summary(writer.bytes()).picture
                    #expect(isClose(area.simple, 200, 100, 50, within: 0.01))
                    #expect(area.opacity == 1)
                }
            }
        }
    }

    @Test("Transparent and opaque pixels of associated alpha stay as they are")
    func extremes() throws {
        var writer = TIFFWriter(width: 2, height: 1, pixels: [[7, 8, 9, 0], [200, 100, 50, 255]])
        writer.extraSample = 1
        let area = try summary(writer.bytes()).picture
        #expect(isClose(area.simple, 200, 100, 50, within: 0.01))
        #expect(area.opacity == 0.5)
    }

    @Test("Gray with alpha; of sixteen bits the loader would drop it")
    func grayAlpha() throws {
        for (extra, gray) in [(2, 200), (1, 100)] {
            var writer = flat([gray, 128], bits: 8)
            writer.photometric = 1
            writer.extraSample = extra
            let area = try summary(writer.bytes()).picture
            #expect(isClose(area.simple, 200, 200, 200, within: 1))
            #expect(abs(area.opacity - 128.0 / 255) < 0.001)
            writer.bits = 16
            #expect(try failure(writer.bytes()) == .unsupportedFormat)
        }
    }

    @Test("White may be zero; samples may have sixteen bits")
    func kinds() throws {
        var gray = flat([144], bits: 8)
        gray.photometric = 0
        #expect(isClose(try summary(gray.bytes()).picture.simple, 111, 111, 111, within: 0.01))
        gray.photometric = 1
        #expect(isClose(try summary(gray.bytes()).picture.simple, 144, 144, 144, within: 0.01))
        let deep = flat([135, 71, 143], bits: 16)
        #expect(isClose(try summary(deep.bytes()).picture.simple, 135, 71, 143, within: 0.6))
        #expect(try summary(deep.bytes()).picture.opacity == 1)
    }

    @Test("Rows that no strip holds are not made up", arguments: [5, 8, 40])
    func missingStrips(height: Int) throws {
        // One strip of four rows.
        var writer = TIFFWriter(
            width: 4, height: 4, pixels: [[Int]](repeating: [200, 100, 50], count: 16))
        writer.rowsPerStrip = 4
        #expect(isClose(try summary(writer.bytes()).picture.simple, 200, 100, 50, within: 0.01))
        writer.height = height
        #expect(try failure(writer.bytes()) == .decodeFailed)
    }

    @Test("Colors that the loader gets wrong are refused")
    func wrongColors() throws {
        // Neutral CIELAB, in its three encodings.
        for photometric in [8, 9, 10] {
            var lab = flat([128, 128, 128], bits: 8)
            lab.photometric = photometric
            #expect(try failure(lab.bytes()) == .unsupportedFormat)
        }
        var inks = flat([0, 0, 0, 0, 128], bits: 8)
        inks.photometric = 5
        for (extra, code) in [(0, nil), (1, ErrorCode.unsupportedFormat), (2, .unsupportedFormat)] {
            inks.extraSample = extra
            #expect(try failure(inks.bytes()) == code)
        }
        var second = flat([200, 100, 50, 77, 128], bits: 8)
        second.extraSample = 0
        second.otherExtraSample = 2
        #expect(try failure(second.bytes()) == .unsupportedFormat)
    }

    @Test("What takes more memory than there is is too large, before it is tried")
    func memory() throws {
        var writer = flat([1, 2, 3, 4], bits: 16)
        writer.extraSample = 2
        // 392 MiB of pixels, and one strip of 784 MiB.
        writer.width = 9999
        writer.height = 9999
        #expect(try failure(writer.bytes()) == .imageTooLarge)
        // In strips of a row the same picture is only cut.
        writer.rowsPerStrip = 1
        #expect(try failure(writer.bytes()) == .decodeFailed)
    }

    @Test("BigTIFF")
    func big() throws {
        var writer = flat([100, 50, 25, 128], bits: 8)
        writer.isBig = true
        writer.extraSample = 1
        #expect(isClose(try summary(writer.bytes()).picture.simple, 200, 100, 50, within: 1))
    }

    @Test("The eight orientations are one picture, byte for byte")
    func orientations() throws {
        let region = RegionRectangle(x: 0, y: 0, width: 0.5, height: 0.5)
        var upright: ImageSummary?
        for number in 1...8 {
            let rows = Quarters.rows(width: 40, height: 24, orientation: number)
            var writer = TIFFWriter(
                width: rows[0].count, height: rows.count,
                pixels: rows.flatMap { $0.map { $0.map { Int($0) } } })
            writer.orientation = number
            let summary = try summary(writer.bytes(), regions: [region])
            #expect(summary.image.orientation == number)
            #expect(summary.image.width == 40 && summary.image.height == 24)
            #expect(isClose(summary.regions[0].simple, 240, 200, 20, within: 0.01))
            let first = upright ?? summary
            #expect(areSame(summary.areas, first.areas))
            upright = first
        }
    }
}
