/// The sums of each column's pixels over the rows of one row of cells.
protocol ColumnSums {
    /// Sums for rows of so many pixels.
    init(width: Int)
    /// Begins a row of cells.
    mutating func clear()
    /// Adds a row of pixels with a weight.
    mutating func add(_ row: UnsafePointer<UInt8>, _ weight: Int)
    /// Ends a row of cells: `total` may be asked from now on.
    mutating func finishRows()
    /// The sum of a cell's columns, each weighted by its overlap.
    func total(of cell: AxisCells.Cell, innerWeight: Int) -> CellTotal
}

/// The values of each column, summed over rows with weights.
///
/// Rows of equal weight, nearly all, are added as they are, in few bits, and multiplied once.
private struct WeightedRows<
    Plain: FixedWidthInteger & UnsignedInteger, Sum: FixedWidthInteger & UnsignedInteger
> {
    private(set) var weighted: [Sum]
    /// The rows that are not multiplied yet: what is added here has the weight last begun.
    var plain: [Plain]
    private let limit: Int
    private var plainRows = 0
    private var weight = 0

    /// Sums of so many values a row, of which `limit` rows fit into the plain ones.
    init(values: Int, limit: Int) {
        weighted = Array(repeating: 0, count: values)
        plain = Array(repeating: 0, count: values)
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

    mutating func flush() {
        guard plainRows > 0 else { return }
        let weight = Sum(truncatingIfNeeded: self.weight)
        unsafe weighted.withUnsafeMutableBufferPointer { weighted in
            unsafe plain.withUnsafeMutableBufferPointer { plain in
                for index in 0..<plain.count {
                    unsafe weighted[index] &+= Sum(truncatingIfNeeded: plain[index]) &* weight
                    unsafe plain[index] = 0
                }
            }
        }
        plainRows = 0
    }
}

/// Column sums of opaque RGB pixels.
struct OpaqueColumns<Sum: FixedWidthInteger & UnsignedInteger>: ColumnSums {
    private var rows: WeightedRows<UInt16, Sum>
    private var rowWeight = 0

    /// How many bytes of 255 fit into sixteen bits.
    private static var plainLimit: Int { 257 }

    init(width: Int) {
        rows = WeightedRows(values: 3 * width, limit: Self.plainLimit)
    }

    mutating func clear() {
        rows.clear()
        rowWeight = 0
    }

    mutating func add(_ row: UnsafePointer<UInt8>, _ weight: Int) {
        rows.begin(weight)
        rowWeight += weight
        unsafe rows.plain.withUnsafeMutableBufferPointer { plain in
            for index in 0..<plain.count { unsafe plain[index] &+= UInt16(row[index]) }
        }
    }

    mutating func finishRows() { rows.flush() }

    func total(of cell: AxisCells.Cell, innerWeight: Int) -> CellTotal {
        unsafe rows.weighted.withUnsafeBufferPointer { sums in
            func column(_ index: Int, _ weight: Int) -> SIMD4<UInt64> {
                let start = 3 * index
                return unsafe SIMD4(
                    UInt64(sums[start]), UInt64(sums[start + 1]), UInt64(sums[start + 2]), 0)
                    &* SIMD4(repeating: UInt64(weight))
            }
            var red: UInt64 = 0
            var green: UInt64 = 0
            var blue: UInt64 = 0
            var offset = 3 * (cell.first + 1)
            while offset < 3 * cell.last {
                unsafe red &+= UInt64(sums[offset])
                unsafe green &+= UInt64(sums[offset + 1])
                unsafe blue &+= UInt64(sums[offset + 2])
                offset += 3
            }
            var total = SIMD4(red, green, blue, 0) &* SIMD4(repeating: UInt64(innerWeight))
            total &+= column(cell.first, cell.firstWeight)
            total &+= column(cell.last, cell.lastWeight)
            let columnWeight = cell.columnWeight(innerWeight: innerWeight)
            return CellTotal(
                red: 255 * total.x, green: 255 * total.y, blue: 255 * total.z,
                alpha: 255 * UInt64(rowWeight) * UInt64(columnWeight))
        }
    }
}

/// Column sums of straight RGBA pixels: alpha times color, and alpha.
struct AlphaColumns<Sum: FixedWidthInteger & UnsignedInteger>: ColumnSums {
    private var rows: WeightedRows<UInt32, Sum>

    /// How many products of 255² fit into 32 bits, with room to spare.
    private static var plainLimit: Int { 60_000 }

    init(width: Int) {
        rows = WeightedRows(values: 4 * width, limit: Self.plainLimit)
    }

    mutating func clear() { rows.clear() }

    mutating func add(_ row: UnsafePointer<UInt8>, _ weight: Int) {
        rows.begin(weight)
        unsafe rows.plain.withUnsafeMutableBufferPointer { plain in
            var offset = 0
            while offset < plain.count {
                let alpha = unsafe UInt32(row[offset + 3])
                unsafe plain[offset] &+= UInt32(row[offset]) &* alpha
                unsafe plain[offset + 1] &+= UInt32(row[offset + 1]) &* alpha
                unsafe plain[offset + 2] &+= UInt32(row[offset + 2]) &* alpha
                unsafe plain[offset + 3] &+= alpha
                offset += 4
            }
        }
    }

    mutating func finishRows() { rows.flush() }

    func total(of cell: AxisCells.Cell, innerWeight: Int) -> CellTotal {
        unsafe rows.weighted.withUnsafeBufferPointer { sums in
            func column(_ index: Int) -> SIMD4<UInt64> {
                let start = 4 * index
                return unsafe SIMD4(
                    UInt64(sums[start]), UInt64(sums[start + 1]), UInt64(sums[start + 2]),
                    UInt64(sums[start + 3]))
            }
            var total = SIMD4<UInt64>()
            var index = cell.first + 1
            while index < cell.last {
                total &+= column(index)
                index += 1
            }
            total = total &* SIMD4(repeating: UInt64(innerWeight))
            total &+= column(cell.first) &* SIMD4(repeating: UInt64(cell.firstWeight))
            total &+= column(cell.last) &* SIMD4(repeating: UInt64(cell.lastWeight))
            return CellTotal(red: total.x, green: total.y, blue: total.z, alpha: total.w)
        }
    }
}

extension AxisCells.Cell {
    /// The units of all its pixels together: the length of a cell.
    func columnWeight(innerWeight: Int) -> Int {
        if first == last { return firstWeight }
        return firstWeight + lastWeight + (last - first - 1) * innerWeight
    }
}
