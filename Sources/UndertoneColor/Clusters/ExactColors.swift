/// The exact colours of a picture, as long as there are no more than 64 of them.
struct ExactColors: Sendable {
    static let limit = 64
    private static let tableSize = 256

    /// Colours plus 1, by hash with linear probing; 0 for none.
    private var table = [UInt32](repeating: 0, count: tableSize)
    private var masses = [UInt64](repeating: 0, count: tableSize)
    private var count = 0

    /// Adds a pixel, unless there were too many colours already.
    @inline(__always)
    mutating func add(_ packed: UInt32, mass: UInt32) {
        if count > Self.limit { return }
        var index = Int((packed &* 0x9e37_79b1) >> 24)
        while table[index] != packed + 1 {
            if table[index] == 0 {
                count += 1
                if count > Self.limit { return }
                table[index] = packed + 1
                break
            }
            index = (index + 1) & (Self.tableSize - 1)
        }
        masses[index] += UInt64(mass)
    }

    /// The colours in the order of their numbers; nil where there are too many.
    var colors: [ClusterGrouping.Point]? {
        if count > Self.limit { return nil }
        return (0..<Self.tableSize).filter { table[$0] != 0 }
            .sorted { table[$0] < table[$1] }
            .map { index in
                ClusterGrouping.Point(
                    oklab: SIMD3<Float>(RGB8(packed: table[index] - 1).oklab),
                    mass: Double(masses[index]))
            }
    }
}
