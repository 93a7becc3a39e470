/// Whether cells of a picture look alike over and over, as those of stripes, screens and checks do.
///
/// A pattern as fine as its pixels is seen at a fraction of its size as plain color.
struct ColorPatterns {
    /// Channels that differ by so much are no gray, of which decoding cuts off no channel alone.
    private static let colorful: UInt8 = 12
    /// Parts of the picture along each side, of which each is looked at.
    private static let parts = 4
    /// The most looks for each cell of a pattern: in photographs there are twice as many.
    private static let distinctLooks = 0.2

    private let columns, rows: Int
    /// The extremes of each cell that has a color, as one number; 0 where it is gray.
    private var looks: [UInt64]

    /// Makes room for so many cells.
    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        looks = Array(repeating: 0, count: columns * rows)
    }

    /// Notes the extremes of a cell's channels; the fourth is 0.
    @inline(__always)
    mutating func note(_ least: SIMD4<UInt8>, _ most: SIMD4<UInt8>, column: Int, row: Int) {
        if Self.spread(least) < Self.colorful, Self.spread(most) < Self.colorful { return }
        let extremes = SIMD8(lowHalf: least, highHalf: most)
        looks[row * columns + column] = unsafe unsafeBitCast(extremes, to: UInt64.self)
    }

    @inline(__always)
    private static func spread(_ color: SIMD4<UInt8>) -> UInt8 {
        max(color.x, color.y, color.z) &- min(color.x, color.y, color.z)
    }

    /// Whether most cells of some part of the picture have a color, and few looks.
    var areThere: Bool {
        let across = (0..<Self.parts).map { Self.part($0, of: columns) }
        let down = (0..<Self.parts).map { Self.part($0, of: rows) }
        return down.contains { rows in across.contains { hasPattern(rows, $0) } }
    }

    private static func part(_ index: Int, of count: Int) -> Range<Int> {
        count * index / parts..<count * (index + 1) / parts
    }

    private func hasPattern(_ down: Range<Int>, _ across: Range<Int>) -> Bool {
        func forEachColor(_ body: (UInt64) -> Bool) -> Bool {
            for row in down {
                for column in across {
                    let look = looks[row &* columns &+ column]
                    if look != 0, !body(look) { return false }
                }
            }
            return true
        }
        var colored = 0
        _ = forEachColor { _ in
            colored += 1
            return true
        }
        if 2 * colored < across.count * down.count || colored == 0 { return false }
        var distinct = DistinctNumbers(atMost: Int(Self.distinctLooks * Double(colored)))
        return forEachColor { distinct.add($0) }
    }
}

/// Different numbers above 0, as far as there is room for them. The library's set, which protects
/// itself from chosen numbers, would take 3 % of a large JPEG's answer; here choosing them gains
/// nothing but that, as no more of them are taken than have room.
private struct DistinctNumbers {
    private var slots: [UInt64]
    private var room: Int
    private let shift: UInt64

    /// Makes room for so many.
    init(atMost count: Int) {
        room = count
        // A power of two, and half of it stays free.
        let bits = Int.bitWidth - (2 * count).leadingZeroBitCount
        shift = UInt64(64 - max(bits, 1))
        slots = Array(repeating: 0, count: 1 << max(bits, 1))
    }

    /// Adds a number that may be there already; false where there is no more room.
    @inline(__always)
    mutating func add(_ number: UInt64) -> Bool {
        // Of a product with an odd number the upper bits depend on all of its own.
        var slot = Int(truncatingIfNeeded: (number &* 0x9E37_79B9_7F4A_7C15) &>> shift)
        while slots[slot] != 0 {
            if slots[slot] == number { return true }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        if room == 0 { return false }
        room -= 1
        slots[slot] = number
        return true
    }
}
