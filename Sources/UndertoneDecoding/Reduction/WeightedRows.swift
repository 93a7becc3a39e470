/// The values of each column, summed over rows with weights.
///
/// Rows of equal weight, nearly all, are added as they are, in few bits, and multiplied once. The
/// sums are whole numbers, which a `Double` holds exactly: 255² times the 2^30 units of the largest
/// picture stay below 2^53.
struct WeightedRows<Plain: FixedWidthInteger & UnsignedInteger> {
    /// The rows that are not multiplied yet: what is added here has the weight last begun.
    var plain: [Plain]
    private var weighted: [Double]
    private let channels: Int
    private let limit: Int
    private var plainRows = 0
    private var weight = 0

    /// Sums for rows of `width` pixels with 3 or 4 channels, of which `limit` rows fit into the
    /// plain ones.
    init(width: Int, channels: Int, limit: Int) {
        // Pixels are loaded four values at a time.
        weighted = Array(repeating: 0, count: channels * width + 1)
        plain = Array(repeating: 0, count: channels * width)
        self.channels = channels
        self.limit = limit
    }

    mutating func clear() {
        unsafe weighted.withUnsafeMutableBufferPointer { unsafe $0.update(repeating: 0) }
    }

    /// Begins a row of a weight.
    mutating func begin(_ weight: Int) {
        if weight != self.weight || plainRows == limit { flush() }
        self.weight = weight
        plainRows += 1
    }

    /// Ends the rows: `forEachTotal` may be called from now on.
    mutating func flush() {
        guard plainRows > 0 else { return }
        let weight = Double(self.weight)
        unsafe weighted.withUnsafeMutableBufferPointer { weighted in
            unsafe plain.withUnsafeMutableBufferPointer { plain in
                for index in 0..<plain.count {
                    // As a signed number of 32 bits, which no sum passes, it is one instruction.
                    let value = unsafe Int32(truncatingIfNeeded: plain[index])
                    unsafe weighted[index] += Double(value) * weight
                    unsafe plain[index] = 0
                }
            }
        }
        plainRows = 0
    }

    /// Passes each cell's sums over its columns, each weighted by its overlap. Of three channels,
    /// the fourth value means nothing.
    @inline(__always)
    func forEachTotal(of columns: AxisCells, _ body: (SIMD4<Double>) -> Void) {
        unsafe weighted.withUnsafeBytes { bytes in
            let stride = channels &* MemoryLayout<Double>.stride
            let start = bytes.baseAddress!
            func column(_ index: Int) -> SIMD4<Double> {
                unsafe start.loadUnaligned(fromByteOffset: index &* stride, as: SIMD4.self)
            }
            let innerWeight = Double(columns.innerWeight)
            for cell in columns.cells {
                var total = column(cell.first) * Double(cell.firstWeight)
                var index = cell.first &+ 1
                while index < cell.last {
                    total += column(index) * innerWeight
                    index &+= 1
                }
                total += column(cell.last) * Double(cell.lastWeight)
                body(total)
            }
        }
    }
}
