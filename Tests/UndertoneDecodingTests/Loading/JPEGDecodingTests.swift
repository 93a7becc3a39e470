import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneDecoding

@Suite("JPEG pictures decode to right averages")
struct JPEGDecodingTests {
    @Test("Gray and CMYK pictures")
    func colorSpaces() throws {
        let gray = try summary(Fixture.bytes("gray.jpg")).picture.simple
        // 0.299 and 0.587 of a ramp, 0.114 of 64.
        let expected = 0.886 * 127 + 0.114 * 64
        #expect(isClose(gray, expected, expected, expected, within: 1))
        // Inks of 128, 64, 0 and 51 of 255.
        let cmyk = try summary(Fixture.bytes("cmyk.jpg")).picture
        let light = 204.0 / 255
        #expect(isClose(cmyk.simple, 127 * light, 191 * light, 255 * light, within: 1.5))
        #expect(cmyk.opacity == 1)
    }

    @Test(
        "At an eighth or a quarter of its size a picture has the mean of all its pixels",
        arguments: [
            "quarter.jpg", "eighth-progressive.jpg",
        ])
    func scaled(name: String) throws {
        let bytes = try Fixture.bytes(name)
        let mean = try PixbufMean.of(bytes)
        let pixels = try #require(mean)
        let summary = try summary(bytes)
        #expect(summary.image.complete)
        #expect(isClose(summary.picture.simple, pixels.x, pixels.y, pixels.z, within: 0.5))
        #expect(summary.image.width == (name == "quarter.jpg" ? 1921 : 3847))
    }

    @Test("The scale leaves the sample its resolution, and padding no room to show")
    func scales() {
        func scale(_ width: Int, _ height: Int, _ sampling: Sampling = .auto) -> Int {
            DecodingPlan(format: .jpeg, sampling: sampling)
                .scale(of: PixelSize(width: width, height: height))
        }
        #expect(scale(6000, 4000) == 8)
        #expect(scale(4000, 6000) == 8)
        #expect(scale(3840, 2160) == 8)
        // A picture of 3833 pixels still has the sample's 480 at an eighth, one of 3832 has not.
        #expect(scale(3833, 2156) == 8)
        #expect(scale(3832, 2156) == 4)
        #expect(scale(1920, 1080) == 4)
        #expect(scale(1280, 720) == 2)
        #expect(scale(958, 700) == 1)
        #expect(scale(500, 500) == 1)
        #expect(scale(6000, 511) == 4)
        #expect(scale(6000, 255) == 2)
        #expect(scale(6000, 100) == 1)
        #expect(scale(6000, 4000, .exact) == 1)
        let png = DecodingPlan(format: .png, sampling: .auto)
        #expect(png.scale(of: PixelSize(width: 6000, height: 4000)) == 1)
    }

    @Test("Of a progressive picture at an eighth only first coefficients are fed")
    func firstCoefficients() throws {
        let bytes = try Fixture.bytes("eighth-progressive.jpg")
        let outline = JPEGScanner.outline(bytes.span, fileLength: bytes.count)
        let selected = DecodingPlan(format: .jpeg, sampling: .auto).selectScans(outline)
        var fed = 0
        for case .file(let range) in selected.pieces { fed += range.count }
        let scans = try #require(outline.scans).scans
        let left = scans.filter { $0.lastCoefficient > 0 }.reduce(0) { $0 + $1.range.count }
        // Nothing else, but the end marker.
        #expect(left > 0 && fed + left + 2 == bytes.count)
        #expect(try #require(selected.scans).scans.allSatisfy { $0.lastCoefficient == 0 })
        let exact = DecodingPlan(format: .jpeg, sampling: .exact).selectScans(outline)
        #expect(exact == outline)
    }

    @Test("Fed so, a cut picture is all there as soon as its first coefficients are")
    func cutFirstCoefficients() throws {
        let bytes = try Fixture.bytes("eighth-progressive.jpg")
        let whole = try summary(bytes)
        let outline = JPEGScanner.outline(bytes.span, fileLength: bytes.count)
        let scans = try #require(outline.scans).scans
        let refinement = try #require(scans.last { $0.lastCoefficient == 0 })
        let cut = try summary(Array(bytes[..<refinement.range.upperBound]))
        #expect(!cut.image.complete)
        #expect(isClose(cut.picture.simple, whole.picture.simple, within: 0.5))
        // Half of the first scan: the upper rows alone.
        let half = scans[0].range.lowerBound + scans[0].range.count / 2
        let regions = [0.0, 0.75].map { RegionRectangle(x: 0, y: $0, width: 1, height: 0.25) }
        let upper = try summary(Array(bytes[..<half]), regions: regions)
        #expect(!upper.image.complete)
        let area = try summary(bytes, regions: regions).regions[0]
        #expect(isClose(upper.regions[0].simple, area.simple, within: 1.5))
        #expect(upper.regions[1].opacity == 0)
    }

    @Test("Bytes behind the end marker change nothing")
    func trailing() throws {
        let bytes = try Fixture.bytes("baseline.jpg")
        let plain = try summary(bytes)
        let trailed = try summary(bytes + bytes + [UInt8](repeating: 0xFF, count: 999))
        #expect(areSame(trailed.areas, plain.areas))
        #expect(trailed.image == plain.image)
    }

    @Test("An orientation may be a long number, and the first that is stated counts")
    func orientationTypes() throws {
        let jpeg = try Fixture.bytes("baseline.jpg")
        // A type of 4 is LONG.
        for number in 1...8 {
            let bytes = Containers.jpeg(jpeg, exif: Quarters.exif(number, type: 4))
            let image = try summary(bytes).image
            #expect(image.orientation == number && image.width == (number < 5 ? 128 : 96))
        }
        for (first, second, counts) in [(6, 3, 6), (3, 6, 3), (9, 6, 6)] {
            let bytes = Containers.jpeg(
                Containers.jpeg(jpeg, exif: Quarters.exif(second)), exif: Quarters.exif(first))
            #expect(try summary(bytes).image.orientation == counts)
        }
    }

    @Test("The eight orientations", arguments: 1...8)
    func orientations(number: Int) throws {
        let bytes = try Containers.jpeg(Fixture.bytes("baseline.jpg"), exif: Quarters.exif(number))
        let left = RegionRectangle(x: 0, y: 0, width: 0.25, height: 1)
        let summary = try summary(bytes, regions: [left])
        #expect(summary.image.orientation == number)
        #expect(summary.image.width == (number < 5 ? 128 : 96))
        #expect(summary.image.height == (number < 5 ? 96 : 128))
        // What is displayed at the left is where red, or green if turned, is low or high.
        let displayed = number < 5 ? summary.regions[0].simple.x : summary.regions[0].simple.y
        let isReversed = [2, 3, 6, 7].contains(number)
        #expect(abs(displayed - (isReversed ? 223.5 : 31)) < 2)
    }
}

/// The mean of what gdk-pixbuf alone makes of a picture.
enum PixbufMean {
    static func of(_ bytes: [UInt8], module: String = "jpeg") throws -> SIMD3<Double>? {
        let loader = try PixbufLoader(module: module) { _ in .keep }
        try loader.write(bytes.span)
        try loader.close()
        guard let pixbuf = loader.pixbuf() else { return nil }
        var sum = SIMD3<Int>()
        for y in 0..<pixbuf.size.height {
            let row = unsafe pixbuf.row(y)
            for offset in stride(from: 0, to: row.count, by: pixbuf.channels) {
                unsafe sum &+= SIMD3(Int(row[offset]), Int(row[offset + 1]), Int(row[offset + 2]))
            }
        }
        let count = Double(pixbuf.size.width * pixbuf.size.height)
        return SIMD3(Double(sum.x), Double(sum.y), Double(sum.z)) / count
    }
}
