import Testing
import UndertoneColor

@testable import UndertoneDecoding

@Suite("A JPEG's markers tell its scans")
struct JPEGScannerTests {
    private func outline(_ bytes: [UInt8]) -> PictureOutline {
        JPEGScanner.outline(bytes.span, fileLength: bytes.count)
    }

    @Test("One scan of a baseline picture")
    func baseline() throws {
        let bytes = try Fixture.bytes("baseline.jpg")
        let outline = outline(bytes)
        let scans = try #require(outline.scans)
        #expect(scans.scans.count == 1)
        #expect(!scans.isProgressive && scans.canBeProbed && outline.isDetailed)
        #expect(scans.passes == 1 && scans.passesUntilColored == 1)
        #expect(outline.pieces == [.file(0..<bytes.count - 2)])
        #expect(scans.coefficientBytes(of: PixelSize(width: 128, height: 96)) == 0)
    }

    @Test("Restart markers belong to the scan")
    func restarts() throws {
        let outline = try outline(Fixture.bytes("restart.jpg"))
        #expect(outline.scans?.scans.count == 1)
        #expect(outline.end == .seen)
    }

    @Test("The scans of a progressive picture")
    func progressive() throws {
        let outline = try outline(Fixture.bytes("progressive.jpg"))
        let scans = try #require(outline.scans)
        #expect(scans.isProgressive && outline.isDetailed)
        #expect(scans.passes == scans.scans.count && scans.passes > 2)
        #expect(scans.passesUntilColored == 1)
        // Two bytes for each of 64 coefficients of 1.5 blocks in 64 pixels.
        #expect(scans.coefficientBytes(of: PixelSize(width: 64, height: 64)) == 64 * 64 * 3)
    }

    @Test("Components whose first coefficients come one after the other")
    func separateScans() throws {
        let scans = try #require(try outline(Fixture.bytes("separate-first-scans.jpg")).scans)
        #expect(scans.passesUntilColored == 3)
        let sequential = try #require(try outline(Fixture.bytes("sequential-scans.jpg")).scans)
        #expect(sequential.scans.count == 3 && sequential.passes == 1)
        #expect(!sequential.canBeProbed)
    }

    @Test("First coefficients alone: headers, tables, their scans and refinements, nothing else")
    func firstCoefficients() throws {
        let bytes = try Fixture.bytes("separate-first-scans.jpg")
        let all = try #require(outline(bytes).scans)
        let kept = all.onlyFirstCoefficients()
        #expect(kept.scans.scans.count == 6)
        #expect(kept.scans.passesUntilColored == 3)
        var fed: [UInt8] = []
        for case .file(let range) in kept.pieces { fed += bytes[range] }
        let again = try #require(outline(fed + [0xFF, 0xD9]).scans)
        #expect(again.scans.map(\.firstCoefficient) == [Int](repeating: 0, count: 6))
        #expect(again.scans.map(\.missingBits) == [1, 1, 1, 0, 0, 0])
        #expect(again.scans.map(\.ids) == [[1], [2], [3], [1], [2], [3]])
    }

    @Test("A file cut after a scan lacks coefficients, even with an end marker")
    func cutAfterScan() throws {
        let bytes = try Fixture.bytes("progressive.jpg")
        let scans = try #require(outline(bytes).scans).scans
        for scan in scans.dropLast() {
            let cut = outline(Array(bytes[..<scan.range.upperBound]) + [0xFF, 0xD9])
            #expect(cut.end == .seen)
            #expect(!cut.isDetailed)
        }
    }

    @Test("What follows the end marker, and a thumbnail before, count for nothing")
    func surroundings() throws {
        let bytes = try Fixture.bytes("baseline.jpg")
        let inner = try Fixture.bytes("gray.jpg")
        let outline = outline(Containers.jpeg(bytes, exif: inner) + inner)
        #expect(outline.size == PixelSize(width: 128, height: 96))
        #expect(outline.scans?.scans.count == 1)
        #expect(outline.scans?.components.count == 3)
    }

    @Test("Zeros at the end of a file without end marker are no data")
    func zeros() throws {
        let bytes = try Fixture.bytes("baseline.jpg")
        let half = Array(bytes.prefix(bytes.count / 2))
        let filled = outline(half + [UInt8](repeating: 0, count: 500))
        #expect(filled.end == .missing)
        #expect(filled.pieces == [.file(0..<half.count)])
    }

    @Test("Markers may be filled, and segments may lie about their length")
    func oddMarkers() {
        let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 2, 0, 3, 1, 1, 0x11, 0]
        let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0xFF, 0, 0x34]
        let fill: [UInt8] = [0xFF, 0xFF, 0xFF]
        let picture = [0xFF, 0xD8] + fill + frame + fill + scan + [0xFF, 0xFF, 0xD9]
        #expect(outline(picture).size == PixelSize(width: 3, height: 2))
        #expect(outline(picture).end == .seen)
        #expect(outline([0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 0xFF, 0xD9]).end == .missing)
        #expect(outline([0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF, 0xFF, 0xD9]).end == .missing)
        // No scan, no picture.
        #expect(outline([0xFF, 0xD8] + frame + [0xFF, 0xD9]).end == .missing)
    }
}
