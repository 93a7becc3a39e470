/// The linear light of a run's pixels, channel by channel, from which cone roots are taken.
///
/// One loop per step leaves the compiler four lanes and registers enough for each.
@safe struct LightPlanes: ~Copyable {
    /// The most pixels of a run.
    static let capacity = 256

    /// One channel after the other: as integers times `PixelTables.lightScale`, then converted.
    private let integers = ZeroedBuffer<Int32>(count: 3 * capacity)
    private let floats = ZeroedBuffer<SIMD4<Float>>(count: 3 * capacity / 4)

    /// Stores a pixel's light.
    @inline(__always)
    func store(_ light: SIMD4<Int32>, at index: Int) {
        unsafe integers.base[index] = light.x
        unsafe integers.base[index &+ Self.capacity] = light.y
        unsafe integers.base[index &+ 2 &* Self.capacity] = light.z
    }

    /// Makes the first pixels ready, and black up to the next multiple of four, since black has no
    /// part in a sum.
    @inline(__always)
    func convert(_ count: Int) {
        for index in count..<(count &+ 3) & ~3 { store(SIMD4(), at: index) }
        let lanes = unsafe UnsafeMutableRawPointer(floats.base)
            .assumingMemoryBound(to: Float.self)
        for channel in 0..<3 {
            let start = channel &* Self.capacity
            for index in start..<start &+ (count &+ 3) & ~3 {
                unsafe lanes[index] = Float(integers.base[index])
            }
        }
    }

    /// The cone roots of four pixels that are ready.
    @inline(__always)
    func roots(_ group: Int) -> ConeRoots {
        let plane = Self.capacity / 4
        return unsafe ConeRoots(
            red: floats.base[group], green: floats.base[group &+ plane],
            blue: floats.base[group &+ 2 &* plane])
    }

    /// Turns the light of pixels that are ready into cone roots, without bias.
    @inline(__always)
    func convertToRoots(_ count: Int) {
        let plane = Self.capacity / 4
        let lanes = unsafe UnsafeMutableRawPointer(integers.base)
            .assumingMemoryBound(to: SIMD4<Int32>.self)
        for group in 0..<(count &+ 3) / 4 {
            let roots = roots(group)
            unsafe lanes[group] = roots.l &- ConeRoots.bias
            unsafe lanes[group &+ plane] = roots.m &- ConeRoots.bias
            unsafe lanes[group &+ 2 &* plane] = roots.s &- ConeRoots.bias
        }
    }

    /// A pixel's cone roots, if they were taken last, or else its light.
    @inline(__always)
    func load(_ index: Int) -> SIMD4<UInt32> {
        let (x, y, z) = unsafe (
            integers.base[index], integers.base[index &+ Self.capacity],
            integers.base[index &+ 2 &* Self.capacity]
        )
        return SIMD4(truncatingIfNeeded: SIMD4(x, y, z, 0))
    }
}
