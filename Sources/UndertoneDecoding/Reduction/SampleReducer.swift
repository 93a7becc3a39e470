import UndertoneColor
import UndertoneProtocol

/// Reduces a decoded picture to its sample by area-averaging in encoded sRGB, weighted by alpha.
///
/// All sums are of integers, so that they do not depend on the order of the pixels: a mirrored or
/// turned picture gives exactly the mirrored or turned sample.
struct SampleReducer {
    private let columns: AxisCells
    private let rows: AxisCells
    private let size: PixelSize
    private let original: PixelSize

    /// Lays a sample over a picture of `original` pixels of which each decoded one spans `scale`.
    init(original: PixelSize, scale: Int = 1) {
        self.original = original
        size = AxisCells.sampleSize(of: original, side: Limits.sampleSide)
        columns = AxisCells(length: original.width, scale: scale, cells: size.width)
        rows = AxisCells(length: original.height, scale: scale, cells: size.height)
    }

    /// Reduces the rows that are known; cells of which nothing is known get no weight.
    func reduce(_ pixbuf: Pixbuf, isKnown: (Int) -> Bool) -> Sample {
        if size == original, pixbuf.size == original { return Sample(pixbuf, isKnown: isKnown) }
        return pixbuf.channels == 3
            ? reduce(pixbuf, OpaqueColumns.self, isKnown: isKnown)
            : reduce(pixbuf, AlphaColumns.self, isKnown: isKnown)
    }

    private func reduce<Columns: ColumnSums>(
        _ pixbuf: Pixbuf, _: Columns.Type, isKnown: (Int) -> Bool
    ) -> Sample {
        var knownRows: [UInt16] = []
        knownRows.reserveCapacity(size.height)
        var sums = Columns(width: pixbuf.size.width)
        let count = size.width * size.height
        let pixels = unsafe [SamplePixel](unsafeUninitializedCapacity: count) { buffer, filled in
            unsafe buffer.initialize(repeating: SamplePixel())
            for (index, cell) in rows.cells.enumerated() {
                sums.clear()
                var weight = 0
                for row in cell.first...cell.last where isKnown(row) {
                    let rowWeight = rows.weight(ofPixel: row, in: cell)
                    unsafe sums.add(UnsafePointer(pixbuf.pixels + row * pixbuf.stride), rowWeight)
                    weight += rowWeight
                }
                if weight > 0 {
                    let start = index * size.width
                    unsafe sums.finish(
                        columns, area: weight * original.width,
                        into: UnsafeMutableBufferPointer(
                            rebasing: buffer[start..<start + size.width]))
                }
                // A cell of which anything is known counts for something.
                let share = weight * 256 / original.height
                knownRows.append(UInt16(weight > 0 ? max(share, 1) : 0))
            }
            filled = count
        }
        return Sample(size: size, pixels: pixels, knownRows: knownRows)
    }
}

extension AxisCells {
    /// The units by which a pixel overlaps a cell.
    @inline(__always)
    func weight(ofPixel pixel: Int, in cell: Cell) -> Int {
        if pixel == cell.first { return cell.firstWeight }
        return pixel == cell.last ? cell.lastWeight : innerWeight
    }
}
