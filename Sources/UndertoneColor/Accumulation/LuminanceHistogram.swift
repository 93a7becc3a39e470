/// How many pixels there are of each luminance, in a few thousand bins.
///
/// Bins are nearly of equal width on the square root of luminance, which takes a few instructions
/// and is close to the sRGB curve: no bin is wider than 1/2000 of that curve. Each bin knows the
/// mean of its pixels, so that a picture of few colours loses nothing.
struct LuminanceHistogram: ~Copyable {
    /// The number of bins.
    static let binCount = 4096

    /// What makes a luminance of 36 bits out of a key: 2^27 of them fit a sum of 64 bits.
    static let shift: UInt64 = 28

    /// One bin. All zeros is the empty one.
    struct Bin: BitwiseCopyable {
        /// The summed weight of the bin's pixels.
        var weight: UInt64 = 0
        /// The sum of their luminances times their weights, in the unit that `shift` leaves.
        var luminance: UInt128 = 0
    }

    private let bins = ZeroedBuffer<Bin>(count: binCount)

    /// The bins of four colours, by the upper 30 bits of their keys.
    @inline(__always)
    static func indices(_ luminance: SIMD4<Int32>) -> SIMD4<Int32> {
        let float = SIMD4(
            Float(luminance.x), Float(luminance.y), Float(luminance.z), Float(luminance.w))
        // A bit pattern is nearly a logarithm: half of it is nearly the root's. It gives each root
        // of a power of four as it is and straight lines between 4^k, 2·4^k and 4^(k + 1).
        let half = unsafe unsafeBitCast(float, to: SIMD4<UInt32>.self) &>> 1 &+ 0x1fc0_0000
        let root = unsafe unsafeBitCast(half, to: SIMD4<Float>.self)
        // From 2^23 on a Float's last place is 1: the sum's bits are the rounded product.
        let sum = root * (Float(binCount - 1) / 32768) + 8_388_608
        return unsafe unsafeBitCast(sum, to: SIMD4<Int32>.self) & 0x7f_ffff
    }

    /// Adds a pixel.
    @inline(__always)
    func add(_ key: UInt64, weight: UInt64) {
        let index = Self.indices(SIMD4(repeating: Int32(truncatingIfNeeded: key >> 34))).x
        let product = (key >> LuminanceHistogram.shift).multipliedFullWidth(by: weight)
        unsafe bins.base[Int(index)].weight &+= weight
        unsafe bins.base[Int(index)].luminance &+=
            UInt128(product.high) << 64 | UInt128(product.low)
    }

    /// Adds pixels that were counted apart, each with the same weight.
    func add(_ other: borrowing PlainLuminanceHistogram, weight: UInt64) {
        for index in 0..<Self.binCount {
            let bin = unsafe other.bins.base[index]
            unsafe bins.base[index].weight &+= bin.count &* weight
            unsafe bins.base[index].luminance &+= UInt128(bin.luminance) * UInt128(weight)
        }
    }

    /// The occupied bins in ascending order.
    func spread() -> LuminanceSpread {
        var occupied: [LuminanceSpread.Bin] = []
        for index in 0..<Self.binCount {
            let bin = unsafe bins.base[index]
            if bin.weight == 0 { continue }
            occupied.append(.init(weight: bin.weight, sum: bin.luminance))
        }
        return LuminanceSpread(bins: occupied)
    }
}

/// The same of pixels that all weigh the same, which takes two additions a pixel.
struct PlainLuminanceHistogram: ~Copyable {
    /// One bin: the number of pixels, at most 2^27, and the sum of their luminances in
    /// the unit that `LuminanceHistogram.shift` leaves.
    struct Bin: BitwiseCopyable {
        var count: UInt64 = 0
        var luminance: UInt64 = 0
    }

    let bins = ZeroedBuffer<Bin>(count: LuminanceHistogram.binCount)

    /// Adds a pixel whose bin is known.
    @inline(__always)
    func add(_ key: UInt64, at index: Int) {
        unsafe bins.base[index].count &+= 1
        unsafe bins.base[index].luminance &+= key >> LuminanceHistogram.shift
    }

    /// The occupied bins in ascending order.
    func spread() -> LuminanceSpread {
        var occupied: [LuminanceSpread.Bin] = []
        for index in 0..<LuminanceHistogram.binCount {
            let bin = unsafe bins.base[index]
            if bin.count == 0 { continue }
            occupied.append(.init(weight: bin.count, sum: UInt128(bin.luminance)))
        }
        return LuminanceSpread(bins: occupied)
    }
}
