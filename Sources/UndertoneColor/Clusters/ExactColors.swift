/// The exact colours of a picture, as long as there are no more than 64 of them.
struct ExactColors: Sendable {
    static let limit = 64
    private static let tableSize = 256

    /// Colours plus 1, by hash with linear probing; 0 for none.
    private var table = [UInt32](repeating: 0, count: tableSize)
    private var masses = [UInt64](repeating: 0, count: tableSize)
    private var count = 0

    /// Whether no colour was left out.
    var isComplete: Bool { count <= Self.limit }

    /// Adds a pixel packed as 0xrrggbb, if none was left out so far.
    mutating func add(_ color: UInt32, mass: UInt64) {
        guard isComplete else { return }
        var index = Int((color &* 0x9e37_79b1) >> 24)
        while table[index] != color + 1 {
            if table[index] == 0 {
                count += 1
                guard isComplete else { return }
                table[index] = color + 1
                break
            }
            index = (index + 1) % Self.tableSize
        }
        masses[index] += mass
    }

    /// The colours in the order of their numbers.
    var colors: [WeightedColor] {
        table.indices.filter { table[$0] != 0 }
            .sorted { table[$0] < table[$1] }
            .map { index in
                WeightedColor(
                    oklab: SIMD3<Float>(RGB8(packed: table[index] - 1).oklab),
                    mass: Double(masses[index]))
            }
    }
}
