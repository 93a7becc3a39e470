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
        let categories = definition.symbols
        var code = 0
        var used = 0
        for (index, count) in definition.counts.enumerated() {
            let length = index + 1
            for _ in 0..<count {
                guard used < categories.count, categories[used] <= 15 else { return nil }
                add(code, length: length, category: Int(categories[used]))
                used += 1
                code += 1
                // None is of ones alone.
                if code >= 1 << length { return nil }
            }
            code <<= 1
        }
        // Of sixteen categories none has two codes.
        if used > 16 || used < categories.count { return nil }
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
