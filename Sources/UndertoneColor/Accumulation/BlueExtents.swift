/// Which colours there are, as far as extremes need it: the range of blue for each (red, green).
struct BlueExtents: ~Copyable {
    /// The range of blue of each (red, green): in the low byte 255 minus the lowest blue, in the
    /// high one the highest. All zeros is the empty one: a colour of blue 0 leaves 255 in the low
    /// byte, any other leaves its blue in the high one.
    private let extents = ZeroedBuffer<UInt16>(count: 65536)

    /// Adds a colour packed as 0xrrggbb.
    @inline(__always)
    func add(_ color: UInt32) {
        let blue = UInt16(truncatingIfNeeded: color & 255)
        // Storing always is cheaper than a branch that cannot be predicted.
        merge(~blue & 255 | blue << 8, at: Int(color >> 8))
    }

    /// Adds all colours of another set, as far as extremes need it.
    func add(_ other: borrowing BlueExtents) {
        for index in 0..<65536 { merge(unsafe other.extents.base[index], at: index) }
    }

    @inline(__always)
    private func merge(_ extent: UInt16, at index: Int) {
        let known = unsafe extents.base[index]
        unsafe extents.base[index] =
            max(known & 0xFF, extent & 0xFF) | max(known & 0xFF00, extent & 0xFF00)
    }

    /// The colours, packed, that no other colour matches in every channel and exceeds in one.
    func upperFront() -> [UInt32] {
        front(ascending: false) { $0 >> 8 }
    }

    /// The colours, packed, that no other colour matches in every channel and undercuts in one.
    func lowerFront() -> [UInt32] {
        front(ascending: true) { $0 & 255 }
    }

    /// Sweeps from the extreme reds and greens and keeps each colour whose blue is more extreme
    /// than that of every colour passed that is at least as extreme in the other two.
    ///
    /// - Parameter extreme: Takes the extreme blue out of an extent.
    @inline(__always)
    private func front(ascending: Bool, _ extreme: (UInt16) -> UInt16) -> [UInt32] {
        // Turns an index of the sweep into red or green, and an extreme into blue.
        let flip: Int = ascending ? 0 : 255
        var front: [UInt32] = []
        // Per green: one more than the most extreme blue passed at this green or a more extreme
        // one.
        let passed = ZeroedBuffer<Int16>(count: 256)
        // One more than the extreme blue; nothing where there is none.
        @inline(__always)
        func reach(_ extent: UInt16) -> Int16 {
            Int16(truncatingIfNeeded: extreme(extent)) &+ (extent == 0 ? 0 : 1)
        }
        for sweptRed in 0..<256 {
            let red = sweptRed ^ flip
            let row = unsafe extents.base + red << 8
            // Few reds have a color of the front, and without one a red changes nothing. In a sweep
            // without branches eight greens are looked at at a time.
            var excess = Int16.min
            for green in 0..<256 {
                excess = unsafe max(excess, reach(row[green]) &- passed.base[green])
            }
            if excess <= 0 { continue }
            var best: Int16 = 0
            for sweptGreen in 0..<256 {
                let green = sweptGreen ^ flip
                let reach = unsafe reach(row[green])
                best = unsafe max(best, passed.base[green])
                if reach > best {
                    best = reach
                    let blue = Int(reach - 1)
                    let color = red << 16 | green << 8 | (ascending ? 255 - blue : blue)
                    front.append(UInt32(color))
                }
                unsafe passed.base[green] = best
            }
        }
        return front
    }
}
