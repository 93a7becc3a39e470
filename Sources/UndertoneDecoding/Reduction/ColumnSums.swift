import UndertoneColor

/// The sums of each column's pixels over the rows of one row of cells.
protocol ColumnSums {
    /// Sums for rows of so many pixels.
    init(width: Int)
    /// Begins a row of cells.
    mutating func clear()
    /// Adds a row of pixels with a weight.
    mutating func add(_ row: UnsafePointer<UInt8>, _ weight: Int)
    /// Ends a row of cells, and writes the pixel of each: mean color by alpha, and mean alpha over
    /// an area, rounded half up. An alpha above 0 stays above 0.
    ///
    /// - Parameter area: the units of area of one cell that are known, above 0.
    mutating func finish(
        _ columns: AxisCells, area: Int, into pixels: UnsafeMutableBufferPointer<SamplePixel>)
}

/// Column sums of opaque RGB pixels.
struct OpaqueColumns: ColumnSums {
    private var rows: WeightedRows<UInt16>

    /// How many bytes of 255 fit into sixteen bits.
    private static var plainLimit: Int { 257 }

    init(width: Int) {
        rows = WeightedRows(width: width, channels: 3, limit: Self.plainLimit)
    }

    mutating func clear() { rows.clear() }

    mutating func add(_ row: UnsafePointer<UInt8>, _ weight: Int) {
        rows.begin(weight)
        unsafe rows.plain.withUnsafeMutableBufferPointer { plain in
            for index in 0..<plain.count { unsafe plain[index] &+= UInt16(row[index]) }
        }
    }

    mutating func finish(
        _ columns: AxisCells, area: Int, into pixels: UnsafeMutableBufferPointer<SamplePixel>
    ) {
        rows.flush()
        let mean = OpaqueMean(area: area)
        var index = 0
        rows.forEachTotal(of: columns) { total in
            unsafe pixels[index] = mean(total)
            index &+= 1
        }
    }
}

/// Column sums of straight RGBA pixels: alpha times color, and alpha.
struct AlphaColumns: ColumnSums {
    private var rows: WeightedRows<UInt32>

    /// How many products of 255² fit into 31 bits, with room to spare.
    private static var plainLimit: Int { 30_000 }

    init(width: Int) {
        rows = WeightedRows(width: width, channels: 4, limit: Self.plainLimit)
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

    mutating func finish(
        _ columns: AxisCells, area: Int, into pixels: UnsafeMutableBufferPointer<SamplePixel>
    ) {
        rows.flush()
        let opaque = 255 * Double(area)
        let mean = OpaqueMean(area: area, factor: 255)
        var index = 0
        rows.forEachTotal(of: columns) { total in
            unsafe pixels[index] =
                total.w == opaque ? mean(total) : Self.mean(total, area: UInt64(area))
            index &+= 1
        }
    }

    private static func mean(_ total: SIMD4<Double>, area: UInt64) -> SamplePixel {
        let alpha = UInt64(total.w)
        guard alpha > 0 else { return SamplePixel() }
        // 256 times a sum of at most 2^30 units of 255² stays below 2^56.
        func mean(_ sum: UInt64, _ divisor: UInt64) -> UInt16 {
            UInt16((512 * sum + divisor) / (2 * divisor))
        }
        return SamplePixel(
            mean(UInt64(total.x), alpha), mean(UInt64(total.y), alpha),
            mean(UInt64(total.z), alpha), max(1, mean(alpha, area)))
    }
}

/// The mean of sums over an opaque area, as a pixel, halves rounded up, without a division.
///
/// A mean is off every half by a multiple of 1/(2 area), where area is at most 2^30. A quarter of
/// 1/area, added, lifts halves above themselves and nothing else past one, and is more than all
/// that these operations lose, 2^-35. Beside 2^52 a `Double` has no place for fractions: adding it
/// rounds, and leaves the whole number in the lowest bits.
struct OpaqueMean {
    private static let alpha: UInt16 = 255 << 8
    private let scale, bias: SIMD4<Double>

    /// Prepares for sums of colors, or of `factor` times as much.
    init(area: Int, factor: Double = 1) {
        scale = SIMD4(repeating: 256 / (Double(area) * factor))
        bias = SIMD4(repeating: 0.25 / Double(area))
    }

    @inline(__always)
    func callAsFunction(_ total: SIMD4<Double>) -> SamplePixel {
        let rounded = (total * scale + bias) + SIMD4(repeating: 0x1p52)
        let bits = unsafe unsafeBitCast(rounded, to: SIMD4<UInt64>.self)
        var pixel = SamplePixel(truncatingIfNeeded: bits)
        pixel.w = Self.alpha
        return pixel
    }
}
