import Testing
import UndertoneProtocol

@testable import UndertoneDecoding

@Suite("Regions on stored pixels")
struct StoredRegionTests {
    private func span(_ position: Double, _ length: Double, of count: Int) -> RegionSpan {
        RegionSpan(from: position, length: length, of: count)
    }

    @Test("Edges count by the fraction covered")
    func fractions() {
        #expect(span(0, 1, of: 4).weights() == [256, 256, 256, 256])
        #expect(span(0.25, 0.5, of: 4).weights() == [0, 256, 256, 0])
        #expect(span(0.125, 0.5, of: 4).weights() == [128, 256, 128, 0])
        #expect(span(0.4, 0.1, of: 4).weights() == [0, 102, 0, 0])
    }

    @Test("A region without extent is the pixel at its place, or the two that it lies between")
    func thin() {
        #expect(span(0.4, 1e-9, of: 4).weights() == [0, 256, 0, 0])
        #expect(span(0.5, 1e-9, of: 4).weights() == [0, 256, 256, 0])
        #expect(span(0, 0, of: 4).weights() == [256, 0, 0, 0])
        #expect(span(1, 0, of: 4).weights() == [0, 0, 0, 256])
    }

    @Test("Exact regions hold the pixels whose centre is inside, or the nearest")
    func centres() {
        #expect(span(0, 0.5, of: 5).pixels == 0..<2)
        #expect(span(0.5, 0.5, of: 5).pixels == 2..<5)
        #expect(span(0.25, 0.5, of: 64).pixels == 16..<48)
        #expect(span(0.31, 0.01, of: 10).pixels == 3..<4)
        #expect(span(1, 0, of: 10).pixels == 9..<10)
        #expect(span(0, 0, of: 1).pixels == 0..<1)
    }

    @Test("Values that are no fractions are held to the picture")
    func nonsense() {
        #expect(span(-1, 0.5, of: 4).weights() == [256, 0, 0, 0])
        #expect(span(.nan, .nan, of: 4).pixels == 0..<1)
        #expect(span(0.5, .infinity, of: 4).weights() == [0, 0, 256, 256])
    }

    @Test("A mirrored region of a mirrored picture has the mirrored weights")
    func mirrors() {
        for index in 0..<500 {
            let start = Double(index * 7 % 500) / 613
            let length = Double(index % 37 + 1) / 211 * (1 - start)
            let plain = span(start, length, of: 97)
            let mirrored = span(1 - start - length, length, of: 97)
            #expect(mirrored.weights() == plain.weights().reversed())
            #expect(plain.reversed().weights() == plain.weights().reversed())
        }
    }

    @Test("Orientations carry a displayed region to the stored pixels", arguments: 1...8)
    func orientations(number: Int) throws {
        let orientation = try #require(Orientation(rawValue: number))
        // As displayed 12 by 6, and the region from 3 to 6 across, from 1 to 2 down.
        let region = RegionRectangle(x: 0.25, y: 1.0 / 6, width: 0.25, height: 1.0 / 6)
        let size = number >= 5 ? PixelSize(width: 6, height: 12) : PixelSize(width: 12, height: 6)
        let stored = StoredRegion(region, in: size, orientation: orientation)
        var expected: Set<[Int]> = []
        for x in 3..<6 {
            let place = Quarters.stored(x, 1, width: 12, height: 6, orientation: number)
            expected.insert([place.x, place.y])
        }
        var found: Set<[Int]> = []
        for x in stored.columns.pixels {
            for y in stored.rows.pixels { found.insert([x, y]) }
        }
        #expect(found == expected)
        let columns = stored.columns.weights().indices.filter { stored.columns.weights()[$0] > 0 }
        #expect(Set(columns) == Set(expected.map { $0[0] }))
    }
}
