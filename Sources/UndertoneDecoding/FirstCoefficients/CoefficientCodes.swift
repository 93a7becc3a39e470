/// A Huffman table as whoever passes coefficients over or on reads it, who wants to know only where
/// each ends (ITU-T T.81, annexes C and F.2.2).
///
/// Most codes are short, and so are the values behind them: one look tells several of both.
struct CoefficientCodes {
    /// Bits that are looked at at once.
    static let lookupBits = 12
    /// Bits of a code that is looked up alone; longer ones are rare.
    static let codeBits = 11
    private static let longestCode = 16

    /// Some bits that belong together, or none where that many do not tell.
    struct Step {
        private let packed: UInt16

        /// More coefficients than there are, so that they fit no block.
        static let none = Step(bits: 0, coefficients: 127, endsBlock: false)

        static let mostBits = 31

        /// Bits of the codes and values.
        var bits: Int { Int(packed & 31) }
        /// The coefficients that they stand for, zeros before them included: up to 64, if any.
        var coefficients: Int { Int(packed >> 5 & 127) }
        /// Whether the last code says that the block has no more.
        var endsBlock: Bool { packed & 0x8000 != 0 }

        init(bits: Int, coefficients: Int, endsBlock: Bool) {
            packed = UInt16(bits | coefficients << 5) | (endsBlock ? 0x8000 : 0)
        }

        /// What a code of some length stands for: in its upper half zeros, in its lower one the
        /// bits of the value behind them. Without a value it is sixteen zeros or the end.
        init(length: Int, symbol: UInt8) {
            let (zeros, size) = (Int(symbol >> 4), Int(symbol & 15))
            let isEnd = size == 0 && zeros < 15
            self.init(
                bits: length + size, coefficients: isEnd ? 0 : zeros + 1, endsBlock: isEnd)
        }
    }

    /// For each beginning of `codeBits` bits the first code with its value, wherever that ends.
    private(set) var single = [Step](repeating: .none, count: 1 << codeBits)
    /// The code that says that a block has no more coefficients, and its length.
    private(set) var endOfBlock: (code: UInt64, length: Int)?
    /// For each length of a code the codes, and the place of the first one's symbol.
    private var ranges = [(codes: Range<Int>, place: Int)](
        repeating: (0..<0, 0), count: longestCode + 1)
    private let symbols: [UInt8]

    /// Takes a table in a file; `nil` if it is none.
    init?(_ definition: HuffmanDefinition) {
        guard let codes = definition.codes() else { return nil }
        symbols = definition.symbols
        for (place, (code, length, symbol)) in codes.enumerated() {
            if ranges[length].codes.isEmpty { ranges[length] = (code..<code, place) }
            ranges[length].codes = ranges[length].codes.lowerBound..<code + 1
            if symbol == 0, endOfBlock == nil { endOfBlock = (UInt64(code), length) }
            if length > Self.codeBits { continue }
            let free = Self.codeBits - length
            let step = Step(length: length, symbol: symbol)
            for beginning in code << free..<(code + 1) << free { single[beginning] = step }
        }
    }

    /// For each beginning of `lookupBits` bits the whole codes and values in it.
    func several() -> [Step] {
        (0..<1 << Self.lookupBits).map { beginning in
            var (bits, coefficients, endsBlock) = (0, 0, false)
            while !endsBlock {
                let rest = beginning << bits & (1 << Self.lookupBits - 1)
                let step = single[rest >> (Self.lookupBits - Self.codeBits)]
                // What is not there is zeros, and no code is told by them.
                guard step.bits > 0, bits + step.bits <= Self.lookupBits,
                    coefficients + step.coefficients < 64
                else { break }
                bits += step.bits
                coefficients += step.coefficients
                endsBlock = step.endsBlock
            }
            if bits == 0 { return .none }
            return Step(bits: bits, coefficients: coefficients, endsBlock: endsBlock)
        }
    }

    /// The code, of more than `codeBits` bits, and its value at the beginning of 16 bits; none if
    /// that is no code.
    func long(_ bits: Int) -> Step {
        for length in Self.codeBits + 1...Self.longestCode {
            let code = bits >> (Self.longestCode - length)
            let range = ranges[length]
            if range.codes.contains(code) {
                let symbol = symbols[range.place + code - range.codes.lowerBound]
                return Step(length: length, symbol: symbol)
            }
        }
        return .none
    }
}
