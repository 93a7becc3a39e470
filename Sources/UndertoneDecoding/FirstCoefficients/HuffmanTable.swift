/// A Huffman table of difference categories, as a decoder looks codes up (ITU-T T.81, annex C).
struct HuffmanTable {
    /// Bits of a code that are looked up at once; longer codes are rare.
    static let lookupBits = 9
    /// Bits of the longest code.
    private static let longestCode = 16

    /// For each beginning of `lookupBits` bits the code's length, times 16, and its category; 0
    /// where no code is so short.
    private(set) var lookup = [UInt8](repeating: 0, count: 1 << lookupBits)
    /// The longer codes with the bits behind them, in order.
    private var longCodes: [(beginnings: ClosedRange<Int>, length: Int, category: Int)] = []

    /// Takes a table in a file; `nil` if it is not one of difference categories.
    init?(_ definition: HuffmanDefinition) {
        // Of sixteen categories none has two codes.
        guard let codes = definition.codes(), codes.count <= 16 else { return nil }
        for (code, length, category) in codes {
            if category > 15 { return nil }
            add(code, length: length, category: Int(category))
        }
    }

    private mutating func add(_ code: Int, length: Int, category: Int) {
        if length <= Self.lookupBits {
            let free = Self.lookupBits - length
            for beginning in code << free..<(code + 1) << free {
                lookup[beginning] = UInt8(length << 4 | category)
            }
        } else {
            let free = Self.longestCode - length
            longCodes.append((code << free...(code + 1) << free - 1, length, category))
        }
    }

    /// The length and the category of a long code at the beginning of 16 bits.
    func longCode(_ bits: Int) -> (length: Int, category: Int)? {
        longCodes.first { $0.beginnings.contains(bits) }.map { ($0.length, $0.category) }
    }
}
