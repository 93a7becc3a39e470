/// Three sums, for red, green and blue or their like.
struct Triple<Sum: FixedWidthInteger & Sendable>: Sendable {
    var x: Sum = 0, y: Sum = 0, z: Sum = 0
}

extension Triple where Sum == UInt64 {
    /// Adds the first three lanes, each times a factor.
    @inline(__always)
    mutating func add(_ lanes: SIMD4<UInt32>, times factor: UInt64) {
        x &+= UInt64(lanes.x) &* factor
        y &+= UInt64(lanes.y) &* factor
        z &+= UInt64(lanes.z) &* factor
    }
}

/// The sums over one run of at most 256 pixels.
///
/// A pixel's *mass* is its alpha (at most 65280) times its weight (at most 256): below 2^24. What
/// is multiplied with it is below 2^31 and a run has 2^8 pixels: no sum reaches 2^63.
struct RunSums {
    var area: UInt64 = 0, mass: UInt64 = 0
    /// The values, their squares / 256, the light and the cone roots, times mass.
    var values = Triple<UInt64>(), squares = Triple<UInt64>()
    var light = Triple<UInt64>(), roots = Triple<UInt64>()
}

/// The sums over all runs. In 128 bits, 2^64 runs fit.
struct AreaSums: Sendable {
    var area: UInt128 = 0, mass: UInt128 = 0
    var values = Triple<UInt128>(), squares = Triple<UInt128>()
    var light = Triple<UInt128>(), roots = Triple<UInt128>()

    /// The squares of values, divided by 256: below 2^24. Whole eight-bit values lose nothing.
    @inline(__always)
    static func squares(_ values: SIMD4<UInt32>) -> SIMD4<UInt32> {
        (values &* values) &>> 8
    }

    mutating func add(_ run: borrowing RunSums) {
        area += UInt128(run.area)
        mass += UInt128(run.mass)
        Self.add(run.values, to: &values)
        Self.add(run.squares, to: &squares)
        Self.add(run.light, to: &light)
        Self.add(run.roots, to: &roots)
    }

    @inline(__always)
    private static func add(_ run: Triple<UInt64>, to sum: inout Triple<UInt128>) {
        sum.x += UInt128(run.x)
        sum.y += UInt128(run.y)
        sum.z += UInt128(run.z)
    }

    /// The means, each divided by a scale.
    func mean(_ sum: Triple<UInt128>, scale: Double) -> SIMD3<Double> {
        SIMD3(Double(sum.x), Double(sum.y), Double(sum.z)) / (Double(mass) * scale)
    }
}
