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
        if size == original, pixbuf.size == original { return copy(pixbuf, isKnown: isKnown) }
        // The sum of one column's weighted values in one cell: a cell is `original.height` units
        // high, and alpha times a color is at most 255².
        let (bound, overflows) = original.height.multipliedReportingOverflow(by: 255 * 255)
        return overflows || bound > UInt32.max
            ? reduce(pixbuf, sum: UInt64.self, isKnown: isKnown)
            : reduce(pixbuf, sum: UInt32.self, isKnown: isKnown)
    }

    /// Takes a picture that is no larger than a sample, pixel by pixel: each is a cell's only one.
    private func copy(_ pixbuf: Pixbuf, isKnown: (Int) -> Bool) -> Sample {
        let rows = 0..<size.height
        let count = size.width * size.height
        let pixels = unsafe [SamplePixel](unsafeUninitializedCapacity: count) { buffer, filled in
            for row in rows {
                let start = row * size.width
                let part = unsafe UnsafeMutableBufferPointer(
                    rebasing: buffer[start..<start + size.width])
                if isKnown(row) {
                    unsafe pixbuf.widen(row: row, into: part)
                } else {
                    unsafe part.initialize(repeating: SamplePixel())
                }
            }
            filled = count
        }
        return Sample(size: size, pixels: pixels, knownRows: rows.map { isKnown($0) ? 256 : 0 })
    }

    @inline(__always)
    private func reduce<Sum: FixedWidthInteger & UnsignedInteger>(
        _ pixbuf: Pixbuf, sum: Sum.Type, isKnown: (Int) -> Bool
    ) -> Sample {
        pixbuf.channels == 3
            ? reduce(pixbuf, OpaqueColumns<Sum>.self, isKnown: isKnown)
            : reduce(pixbuf, AlphaColumns<Sum>.self, isKnown: isKnown)
    }

    private func reduce<Columns: ColumnSums>(
        _ pixbuf: Pixbuf, _: Columns.Type, isKnown: (Int) -> Bool
    ) -> Sample {
        var sample = Sample(size: size, pixels: [], knownRows: [])
        sample.pixels.reserveCapacity(size.width * size.height)
        var sums = Columns(width: pixbuf.size.width)
        for cell in rows.cells {
            sums.clear()
            var weight = 0
            for row in cell.first...cell.last where isKnown(row) {
                let rowWeight = rows.weight(ofPixel: row, in: cell)
                unsafe sums.add(UnsafePointer(pixbuf.pixels + row * pixbuf.stride), rowWeight)
                weight += rowWeight
            }
            sums.finishRows()
            let area = weight * original.width
            for column in columns.cells {
                let total = sums.total(of: column, innerWeight: columns.innerWeight)
                sample.pixels.append(total.average(area: area))
            }
            // A cell of which anything is known counts for something.
            let share = weight * 256 / original.height
            sample.knownRows.append(UInt16(weight > 0 ? max(share, 1) : 0))
        }
        return sample
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

/// The weighted sums of one cell, in units of area.
struct CellTotal {
    /// The sums of alpha times color, and of alpha.
    var red: UInt64 = 0
    var green: UInt64 = 0
    var blue: UInt64 = 0
    var alpha: UInt64 = 0

    /// The cell's pixel: mean color by alpha, and mean alpha over an area, rounded half up. An
    /// alpha above 0 stays above 0.
    func average(area: Int) -> SamplePixel {
        guard alpha > 0 else { return SamplePixel() }
        // 256 times a sum of at most 2^30 units of 255² stays below 2^56.
        func mean(_ sum: UInt64, _ divisor: UInt64) -> UInt16 {
            UInt16((512 * sum + divisor) / (2 * divisor))
        }
        return SamplePixel(
            mean(red, alpha), mean(green, alpha), mean(blue, alpha),
            max(1, mean(alpha, UInt64(area))))
    }
}
