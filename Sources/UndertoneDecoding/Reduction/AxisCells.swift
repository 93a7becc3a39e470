/// How the decoded pixels along one axis fall into the sample's cells.
///
/// The axis is measured in whole units, so that no overlap is ever rounded: of `length` original
/// pixels and `cells` cells, a pixel is `cells` units long and a cell `length` units.
struct AxisCells {
    /// The decoded pixels that overlap one cell. Those between the first and the last are inside
    /// it; `first == last` is a cell within one pixel.
    struct Cell: Equatable {
        var first, last: Int
        /// The units of overlap of the first and of the last pixel.
        var firstWeight, lastWeight: Int
    }

    /// The cells in ascending order.
    let cells: [Cell]
    /// The units of a pixel that lies inside a cell.
    let innerWeight: Int

    /// Lays `cells` cells over an axis of `length` original pixels, of which each decoded pixel
    /// spans `scale`, the last one only what is inside the picture.
    init(length: Int, scale: Int = 1, cells count: Int) {
        let pixel = scale * count
        innerWeight = pixel
        cells = (0..<count).map { index in
            let start = index * length
            let end = start + length
            let first = start / pixel
            let last = (end - 1) / pixel
            if first == last {
                return Cell(first: first, last: last, firstWeight: length, lastWeight: 0)
            }
            return Cell(
                first: first, last: last, firstWeight: (first + 1) * pixel - start,
                lastWeight: end - last * pixel)
        }
    }

    /// The length of the sample's axis for a picture: fitted into a square, never enlarged.
    static func sampleSize(of size: PixelSize, side: Int) -> PixelSize {
        let longer = max(size.width, size.height)
        if longer <= side { return size }
        // The longer side becomes `side`; the other one is rounded, and is at least 1.
        func fitted(_ length: Int) -> Int { max(1, (2 * length * side + longer) / (2 * longer)) }
        return PixelSize(width: fitted(size.width), height: fitted(size.height))
    }
}
