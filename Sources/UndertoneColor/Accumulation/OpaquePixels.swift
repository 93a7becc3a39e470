/// The pixels that are opaque and lie in the area whole: most pixels of most pictures, so that each
/// instruction counts here.
@safe struct OpaquePixels: ~Copyable {
    /// The most pixels that are added at once.
    static let runLength = LightPlanes.capacity
    /// What such a pixel's mass is.
    private static let mass = UInt64(SamplePixel.opaque) * 256

    /// The colours of these pixels.
    let colors = BlueExtents()
    /// The luminance of these pixels.
    let luminance = PlainLuminanceHistogram()

    /// A run's values in 12 and in 8 bits, four to a pixel.
    private let twelve = ZeroedBuffer<SIMD8<UInt16>>(count: runLength / 2)
    private let eight = ZeroedBuffer<SIMD8<UInt16>>(count: runLength / 2)
    private let planes = LightPlanes()
    /// A run's luminances in 30 bits, then their bins.
    private let bins = ZeroedBuffer<SIMD4<Int32>>(count: runLength / 4)
    /// A run's keys.
    private let keys = ZeroedBuffer<UInt64>(count: runLength)

    /// Whether all pixels are opaque.
    static func areOpaque(_ pixels: UnsafeBufferPointer<SamplePixel>) -> Bool {
        // No alpha is above `opaque`, whose upper eight bits are all set.
        var common = SamplePixel(repeating: .max)
        for index in 0..<pixels.count { unsafe common &= pixels[index] }
        return common.w >= SamplePixel.opaque
    }

    /// Adds at most `runLength` pixels.
    func add(_ pixels: UnsafeBufferPointer<SamplePixel>, _ sums: inout RunSums) {
        sums.area &+= UInt64(pixels.count) &* 256
        sums.mass &+= UInt64(pixels.count) &* Self.mass
        unsafe sumValues(pixels, &sums)
        lookUp(pixels.count, &sums)
        convert(pixels.count, &sums)
        let bins = unsafe UnsafeRawPointer(bins.base).assumingMemoryBound(to: Int32.self)
        for index in 0..<pixels.count {
            let key = unsafe keys.base[index]
            unsafe luminance.add(key, at: Int(bins[index]))
            colors.add(UInt32(truncatingIfNeeded: key) & 0xff_ffff)
        }
    }

    /// Sums up values and squares and rounds the values, two pixels at a time.
    @inline(__always)
    private func sumValues(
        _ pixels: UnsafeBufferPointer<SamplePixel>, _ sums: inout RunSums
    ) {
        let source = unsafe UnsafeRawPointer(pixels.baseAddress!)
        // 2^8 values below 2^24 fit 32 bits.
        var values = SIMD8<UInt32>(), squares = SIMD8<UInt32>()
        @inline(__always)
        func add(_ pair: SIMD8<UInt16>, at index: Int) {
            let wide = SIMD8<UInt32>(truncatingIfNeeded: pair)
            values &+= wide
            squares &+= (wide &* wide) &>> 8
            unsafe twelve.base[index] = (pair &+ 8) &>> 4
            unsafe eight.base[index] = (pair &+ 128) &>> 8
        }
        for index in 0..<pixels.count / 2 {
            let pair = unsafe source.loadUnaligned(
                fromByteOffset: index &* 16, as: SIMD8<UInt16>.self)
            add(pair, at: index)
        }
        if pixels.count % 2 != 0 {
            let last = unsafe pixels[pixels.count - 1]
            add(SIMD8(lowHalf: last, highHalf: SIMD4()), at: pixels.count / 2)
        }
        sums.values.add(values.lowHalf &+ values.highHalf, times: Self.mass)
        sums.squares.add(squares.lowHalf &+ squares.highHalf, times: Self.mass)
    }

    /// Looks up linear light and keys.
    @inline(__always)
    private func lookUp(_ count: Int, _ sums: inout RunSums) {
        let tables = PixelTables.shared
        let twelve = unsafe UnsafeRawPointer(twelve.base).assumingMemoryBound(to: UInt16.self)
        let eight = unsafe UnsafeRawPointer(eight.base).assumingMemoryBound(to: UInt16.self)
        let luminance = unsafe UnsafeMutableRawPointer(bins.base)
            .assumingMemoryBound(to: Int32.self)
        var (redSum, greenSum, blueSum) = (UInt64(), UInt64(), UInt64())
        for index in 0..<count {
            let light = unsafe SIMD4(
                tables.light[Int(twelve[4 &* index])], tables.light[Int(twelve[4 &* index &+ 1])],
                tables.light[Int(twelve[4 &* index &+ 2])], 0)
            redSum &+= UInt64(truncatingIfNeeded: light.x)
            greenSum &+= UInt64(truncatingIfNeeded: light.y)
            blueSum &+= UInt64(truncatingIfNeeded: light.z)
            planes.store(light, at: index)
            let redKey = unsafe tables.keys[Int(eight[4 &* index])]
            let greenKey = unsafe tables.keys[256 &+ Int(eight[4 &* index &+ 1])]
            let blueKey = unsafe tables.keys[512 &+ Int(eight[4 &* index &+ 2])]
            let key = redKey &+ greenKey &+ blueKey
            unsafe keys.base[index] = key
            unsafe luminance[index] = Int32(truncatingIfNeeded: key >> 34)
        }
        sums.light.x &+= redSum &* Self.mass
        sums.light.y &+= greenSum &* Self.mass
        sums.light.z &+= blueSum &* Self.mass
    }

    /// Sums up cone roots and finds bins, four pixels at a time.
    @inline(__always)
    private func convert(_ count: Int, _ sums: inout RunSums) {
        planes.convert(count)
        let groups = (count &+ 3) / 4
        var l = SIMD4<Int32>(), m = SIMD4<Int32>(), s = SIMD4<Int32>()
        for group in 0..<groups {
            let roots = planes.roots(group)
            l &+= roots.l
            m &+= roots.m
            s &+= roots.s
            unsafe bins.base[group] = LuminanceHistogram.indices(bins.base[group])
        }
        var totals = SIMD4(l.wrappedSum(), m.wrappedSum(), s.wrappedSum(), 0)
        totals &-= Int32(truncatingIfNeeded: groups &* 4) &* ConeRoots.bias
        sums.roots.add(SIMD4(truncatingIfNeeded: totals), times: Self.mass)
    }
}
