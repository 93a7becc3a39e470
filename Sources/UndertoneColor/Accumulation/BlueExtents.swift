/// Which colours there are, as far as extremes need it: the range of blue per (red, green).
@safe struct BlueExtents: ~Copyable {
    /// The lowest and the highest blue at `red << 8 | green`; low above high where there is none.
    let low: UnsafeMutablePointer<UInt8>
    let high: UnsafeMutablePointer<UInt8>

    init() {
        unsafe low = .allocate(capacity: 65536)
        unsafe low.initialize(repeating: 255, count: 65536)
        unsafe high = .allocate(capacity: 65536)
        unsafe high.initialize(repeating: 0, count: 65536)
    }

    deinit {
        unsafe low.deallocate()
        unsafe high.deallocate()
    }

    /// Adds a colour, packed as 0xrrggbb.
    @inline(__always)
    func add(_ color: UInt32) {
        let index = Int(color >> 8)
        let blue = UInt8(truncatingIfNeeded: color)
        if unsafe blue < low[index] { unsafe low[index] = blue }
        if unsafe blue > high[index] { unsafe high[index] = blue }
        // The only value that is neither below 255 nor above 0 is met where both bounds are new.
    }

    /// Adds all colours of another set, as far as extremes need it.
    func add(_ other: borrowing BlueExtents) {
        for index in 0..<65536 {
            unsafe low[index] = min(low[index], other.low[index])
            unsafe high[index] = max(high[index], other.high[index])
        }
    }

    /// The colours that no other colour exceeds in one channel while matching it in the others.
    func upperFront() -> [RGB8] {
        var front: [RGB8] = []
        // The highest blue among the rows swept so far, at this green or above; -1 for none.
        var swept = [Int16](repeating: -1, count: 256)
        for red in (0..<256).reversed() {
            var best: Int16 = -1
            for green in (0..<256).reversed() {
                let index = red << 8 | green
                best = max(best, swept[green])
                if unsafe low[index] <= high[index] {
                    let blue = unsafe high[index]
                    if Int16(blue) > best {
                        best = Int16(blue)
                        front.append(RGB8(red: UInt8(red), green: UInt8(green), blue: blue))
                    }
                }
                swept[green] = best
            }
        }
        return front
    }

    /// The colours that no other colour undercuts in one channel while matching it in the others.
    func lowerFront() -> [RGB8] {
        var front: [RGB8] = []
        var swept = [Int16](repeating: 256, count: 256)
        for red in 0..<256 {
            var best: Int16 = 256
            for green in 0..<256 {
                let index = red << 8 | green
                best = min(best, swept[green])
                if unsafe low[index] <= high[index] {
                    let blue = unsafe low[index]
                    if Int16(blue) < best {
                        best = Int16(blue)
                        front.append(RGB8(red: UInt8(red), green: UInt8(green), blue: blue))
                    }
                }
                swept[green] = best
            }
        }
        return front
    }
}
