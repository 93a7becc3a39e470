/// Pixels of any alpha and weight: as they are, and as they lie under white and under black text.
///
/// Opaque ones are there too, if they lie in the area in part.
@safe struct MixedPixels: ~Copyable {
    /// The pixels themselves, by mass.
    let luminance = LuminanceHistogram()
    private(set) var range = KeyRange()
    /// Their composites, by area.
    private(set) var underWhite = Composites()
    private(set) var underBlack = Composites()
    /// What is behind the pixels.
    private let behindWhite, behindBlack: RGB8

    private let planes = LightPlanes()
    /// The masses of a run's pixels.
    private let masses = ZeroedBuffer<UInt64>(count: LightPlanes.capacity)

    /// The composites of pixels with what is behind them.
    struct Composites: ~Copyable {
        let colors = BlueExtents()
        let luminance = LuminanceHistogram()
        private(set) var range = KeyRange()

        @inline(__always)
        fileprivate mutating func add(_ color: UInt32, _ tables: PixelTables, weight: UInt64) {
            let key = tables.key(color)
            colors.add(color)
            luminance.add(key, weight: weight)
            range.add(key)
        }

        /// Adds opaque pixels that lie in the area whole.
        func add(_ opaque: borrowing OpaquePixels) {
            colors.add(opaque.colors)
            luminance.add(opaque.luminance, weight: 256)
        }
    }

    /// Creates a set of no pixels on a backdrop; without one the pixels lie on white under white
    /// text and on black under black text.
    init(backdrop: RGB8?) {
        behindWhite = backdrop ?? .white
        behindBlack = backdrop ?? .black
    }

    /// Adds at most `LightPlanes.capacity` pixels, each with its weight or whole.
    mutating func add(
        _ pixels: UnsafeBufferPointer<SamplePixel>, _ weights: UnsafeBufferPointer<UInt16>?,
        _ sums: inout RunSums
    ) {
        let tables = PixelTables.shared
        for index in 0..<pixels.count {
            let pixel = unsafe pixels[index]
            let weight = unsafe weights.map { unsafe UInt64($0[index]) } ?? 256
            let alpha = min(pixel.w, SamplePixel.opaque)
            let mass = UInt64(alpha) &* weight
            sums.area &+= weight
            sums.mass &+= mass
            let wide = SIMD4<UInt32>(truncatingIfNeeded: pixel)
            sums.values.add(wide, times: mass)
            sums.squares.add(AreaSums.squares(wide), times: mass)
            let light = tables.light(pixel)
            sums.light.add(SIMD4(truncatingIfNeeded: light), times: mass)
            planes.store(light, at: index)
            unsafe masses.base[index] = mass
            if mass > 0 { add(RGB8(pixel), tables, alpha: alpha, weight: weight) }
        }
        planes.convert(pixels.count)
        planes.convertToRoots(pixels.count)
        for index in 0..<pixels.count {
            unsafe sums.roots.add(planes.load(index), times: masses.base[index])
        }
    }

    @inline(__always)
    private mutating func add(
        _ color: RGB8, _ tables: PixelTables, alpha: UInt16, weight: UInt64
    ) {
        let key = tables.key(color.packed)
        luminance.add(key, weight: UInt64(alpha) &* weight)
        range.add(key)
        let onWhite = color.composited(alpha: alpha, on: behindWhite)
        underWhite.add(onWhite.packed, tables, weight: weight)
        let onBlack = color.composited(alpha: alpha, on: behindBlack)
        underBlack.add(onBlack.packed, tables, weight: weight)
    }

    /// Adds opaque pixels that lie in the area whole.
    func add(_ opaque: borrowing OpaquePixels) {
        luminance.add(opaque.luminance, weight: UInt64(SamplePixel.opaque) * 256)
        underWhite.add(opaque)
        underBlack.add(opaque)
    }
}

/// The keys of the darkest and the lightest of some colours; empty where low is above high.
struct KeyRange {
    private(set) var low = UInt64.max
    private(set) var high: UInt64 = 0

    /// Adds a colour by its key.
    @inline(__always)
    mutating func add(_ key: UInt64) {
        low = min(low, key)
        high = max(high, key)
    }

    /// Adds all colours of another range.
    mutating func add(_ other: KeyRange) {
        low = min(low, other.low)
        high = max(high, other.high)
    }

    /// The darkest colour.
    var darkest: RGB8 { RGB8(packed: UInt32(truncatingIfNeeded: low)) }
    /// The lightest colour.
    var lightest: RGB8 { RGB8(packed: UInt32(truncatingIfNeeded: high)) }
}
