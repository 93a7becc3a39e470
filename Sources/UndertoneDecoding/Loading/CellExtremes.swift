/// The least and the greatest value of each channel in each of a row of square cells.
///
/// Worked out for whole rows of bytes at a time, whatever channel each is of: the values of a cell
/// are those at its first pixel's place, and the ones between cells mean nothing.
struct CellExtremes {
    /// Decoded pixels along a cell.
    static let side = 3

    private let channels, values: Int
    private var least: [UInt8]
    private var most: [UInt8]
    private var ranges: [UInt8]

    /// Makes room for rows of a picture that is at least one cell wide.
    init(of pixbuf: Pixbuf) {
        channels = pixbuf.channels
        values = pixbuf.size.width * pixbuf.channels
        least = Array(repeating: 0, count: values)
        most = least
        ranges = least
    }

    /// Works out a row of cells.
    mutating func look(at pixbuf: Pixbuf, cellRow: Int) {
        let step = channels
        let upper = unsafe pixbuf.row(Self.side * cellRow)
        let middle = unsafe pixbuf.row(Self.side * cellRow + 1)
        let lower = unsafe pixbuf.row(Self.side * cellRow + 2)
        unsafe least.withUnsafeMutableBufferPointer { least in
            unsafe most.withUnsafeMutableBufferPointer { most in
                for index in 0..<values {
                    let (one, two, three) = unsafe (upper[index], middle[index], lower[index])
                    unsafe least[index] = min(one, min(two, three))
                    unsafe most[index] = max(one, max(two, three))
                }
                // Each value is read before it is written over: those to come lie behind it.
                for index in 0..<values - 2 * step {
                    let (second, third) = (index &+ step, index &+ 2 &* step)
                    unsafe least[index] = min(least[index], min(least[second], least[third]))
                    unsafe most[index] = max(most[index], max(most[second], most[third]))
                }
                unsafe ranges.withUnsafeMutableBufferPointer { ranges in
                    for index in 0..<values {
                        unsafe ranges[index] = most[index] &- least[index]
                    }
                }
            }
        }
    }

    /// By how much a channel of a cell in the row looked at last changes, at most.
    @inline(__always)
    func widest(_ column: Int) -> UInt8 {
        let start = Self.side * column * channels
        return max(ranges[start], max(ranges[start + 1], ranges[start + 2]))
    }

    /// The extremes of a cell in the row looked at last, channel by channel; the fourth means
    /// nothing.
    @inline(__always)
    func callAsFunction(_ column: Int) -> (least: SIMD4<UInt8>, most: SIMD4<UInt8>) {
        let start = Self.side * column * channels
        return (
            SIMD4(least[start], least[start + 1], least[start + 2], 0),
            SIMD4(most[start], most[start + 1], most[start + 2], 0)
        )
    }
}
