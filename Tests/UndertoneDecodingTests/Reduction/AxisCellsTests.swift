import Testing

@testable import UndertoneDecoding

@Suite("Cells along an axis")
struct AxisCellsTests {
    @Test(
        "Every unit of every pixel falls into exactly one cell",
        arguments: [
            (1, 1, 1), (5, 5, 1), (7, 3, 1), (481, 480, 1), (1000, 480, 1), (100_000, 480, 1),
            (3847, 480, 8), (3840, 480, 8), (1921, 480, 4), (961, 480, 2), (515, 64, 8),
        ])
    func coverage(length: Int, cells: Int, scale: Int) {
        let axis = AxisCells(length: length, scale: scale, cells: cells)
        let pixels = (length + scale - 1) / scale
        var perPixel = [Int](repeating: 0, count: pixels)
        for cell in axis.cells {
            let weights = (cell.first...cell.last).map { axis.weight(ofPixel: $0, in: cell) }
            for (pixel, weight) in zip(cell.first...cell.last, weights) {
                perPixel[pixel] += weight
            }
            let units = weights.reduce(0, +)
            #expect(units == length && weights.allSatisfy { $0 > 0 })
        }
        // The last pixel spans only what is inside the picture.
        let expected = (0..<pixels).map { min(scale, length - $0 * scale) * cells }
        #expect(perPixel == expected)
    }

    @Test("Seen from the other end it is the same", arguments: [(7, 3), (1000, 480), (481, 480)])
    func symmetry(length: Int, cells: Int) {
        let axis = AxisCells(length: length, cells: cells)
        for (cell, mirrored) in zip(axis.cells, axis.cells.reversed()) {
            #expect(cell.first == length - 1 - mirrored.last)
            let weights = (cell.first...cell.last).map { axis.weight(ofPixel: $0, in: cell) }
            let others = (mirrored.first...mirrored.last).map {
                axis.weight(ofPixel: $0, in: mirrored)
            }
            #expect(weights == others.reversed())
        }
    }

    @Test(
        "The sample fits into a square, and is never larger than the picture",
        arguments: [
            (4000, 3000, 480, 360), (3000, 4000, 360, 480), (480, 480, 480, 480), (16, 9, 16, 9),
            (481, 1, 480, 1), (100_000, 7, 480, 1), (961, 100, 480, 50), (1, 1_000_000, 1, 480),
        ])
    func sampleSize(width: Int, height: Int, sampleWidth: Int, sampleHeight: Int) {
        let size = AxisCells.sampleSize(of: PixelSize(width: width, height: height), side: 480)
        #expect(size == PixelSize(width: sampleWidth, height: sampleHeight))
    }
}
