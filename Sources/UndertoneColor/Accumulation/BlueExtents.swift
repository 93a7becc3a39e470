/// Which colours there are, as far as extremes need it: the range of blue for each (red, green).
struct BlueExtents: ~Copyable {
    /// The range of blue of one (red, green). All zeros is the empty one: a colour of blue 0 leaves
    /// 255 in `complementOfLow`, any other leaves its blue in `high`.
    struct Extent: BitwiseCopyable {
        /// 255 minus the lowest blue.
        var complementOfLow: UInt8 = 0
        /// The highest blue.
        var high: UInt8 = 0

        var isEmpty: Bool { complementOfLow | high == 0 }
    }

    private let extents = ZeroedBuffer<Extent>(count: 65536)

    /// Adds a colour packed as 0xrrggbb.
    @inline(__always)
    func add(_ color: UInt32) {
        let extent = unsafe extents.base + Int(color >> 8)
        let blue = UInt8(truncatingIfNeeded: color)
        // Storing always is cheaper than a branch that cannot be predicted.
        unsafe extent.pointee.complementOfLow = max(extent.pointee.complementOfLow, ~blue)
        unsafe extent.pointee.high = max(extent.pointee.high, blue)
    }

    /// Adds all colours of another set, as far as extremes need it.
    func add(_ other: borrowing BlueExtents) {
        for index in 0..<65536 {
            let source = unsafe other.extents.base[index]
            let extent = unsafe extents.base + index
            unsafe extent.pointee.complementOfLow = max(
                extent.pointee.complementOfLow, source.complementOfLow)
            unsafe extent.pointee.high = max(extent.pointee.high, source.high)
        }
    }

    /// The colours, packed, that no other colour matches in every channel and exceeds in one.
    func upperFront() -> [UInt32] {
        front(ascending: false) { $0.high }
    }

    /// The colours, packed, that no other colour matches in every channel and undercuts in one.
    func lowerFront() -> [UInt32] {
        front(ascending: true) { $0.complementOfLow }
    }

    /// Sweeps from the extreme reds and greens and keeps each colour whose blue is more extreme
    /// than that of every colour passed that is at least as extreme in the other two.
    @inline(__always)
    private func front(ascending: Bool, _ extreme: (Extent) -> UInt8) -> [UInt32] {
        // Turns an index of the sweep into red or green, and an extreme into blue.
        let flip: Int = ascending ? 0 : 255
        var front: [UInt32] = []
        // Per green: one more than the most extreme blue passed at this green or a more extreme
        // one.
        let passed = ZeroedBuffer<UInt16>(count: 256)
        for sweptRed in 0..<256 {
            let red = sweptRed ^ flip
            if isEmpty(red) { continue }
            var best: UInt16 = 0
            for sweptGreen in 0..<256 {
                let green = sweptGreen ^ flip
                best = unsafe max(best, passed.base[green])
                let extent = unsafe extents.base[red << 8 | green]
                let blue = extreme(extent)
                if UInt16(blue) >= best, !extent.isEmpty {
                    best = UInt16(blue) + 1
                    let color = red << 16 | green << 8 | Int(ascending ? 255 - blue : blue)
                    front.append(UInt32(color))
                }
                unsafe passed.base[green] = best
            }
        }
        return front
    }

    /// Whether there is no colour of a red at all.
    @inline(__always)
    private func isEmpty(_ red: Int) -> Bool {
        let row = unsafe UnsafeRawPointer(extents.base + red << 8)
        var all = SIMD16<UInt8>()
        for offset in stride(from: 0, to: 512, by: 16) {
            unsafe all |= row.load(fromByteOffset: offset, as: SIMD16<UInt8>.self)
        }
        return all == SIMD16()
    }
}
