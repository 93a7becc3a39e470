/// One scan of first coefficients of a progressive JPEG (ITU-T T.81, annex G.1.2.1).
///
/// All must be as it should: what a decoder would have to guess at is left to the loader.
struct FirstCoefficientScan {
    /// Bits that a value takes, at most.
    private static let neededBits = 32

    let order: JPEGFrame.Order
    /// Where the entropy-coded data lie.
    let data: Range<Int>
    /// Units from one restart marker to the next, or 0.
    let restartInterval: Int

    /// Whether the data can be so many blocks, of which each takes a bit or more.
    var isPossible: Bool { order.blockCount <= 8 * data.count }

    /// Decodes the scan into the values of all blocks; false if anything is wrong.
    func decode(
        _ bytes: Span<UInt8>, by coding: some FirstCoefficientCoding, into values: inout [Int16]
    ) -> Bool {
        var coding = coding
        var reader = BitReader(data)
        var values = values.mutableSpan
        let blocks = order.blocks.span
        var restarts = 0
        var unitsLeft = restartInterval
        for row in 0..<order.rows {
            for column in 0..<order.columns {
                if restartInterval > 0 {
                    if unitsLeft == 0 {
                        guard reader.restart(bytes, number: restarts % 8) else { return false }
                        coding.restart()
                        restarts += 1
                        unitsLeft = restartInterval
                    }
                    unitsLeft -= 1
                }
                for index in blocks.indices {
                    let block = blocks[index]
                    let place = block.start &+ row &* block.rowStep &+ column &* block.columnStep
                    if reader.count < Self.neededBits { reader.fill(bytes) }
                    guard
                        let value = coding.decode(
                            &reader, component: block.component, known: values[place])
                    else { return false }
                    values[place] = value
                }
            }
        }
        return reader.isAtEnd
    }
}

/// How a scan codes the values of its blocks.
protocol FirstCoefficientCoding {
    /// Goes on after a restart marker.
    mutating func restart()

    /// Decodes the value of the next block, of which earlier scans have told `known`, from a
    /// reader that has 32 bits if the data have; `nil` if it has none or an impossible one.
    mutating func decode(_ reader: inout BitReader, component: Int, known: Int16) -> Int16?
}

/// The coding of a first scan: the difference from the component's block before, of which a
/// Huffman code tells how many bits follow.
struct DifferenceCoding: FirstCoefficientCoding {
    /// Values between which no difference takes more than 15 bits. Pictures of 8 bits have smaller
    /// ones, of up to 11.
    private static let values = -0x4000...0x3FFF

    private let tables: [HuffmanTable]
    /// The look-ups of all tables, one after the other.
    private let lookup: [UInt8]
    private var predictions = InlineArray<4, Int>(repeating: 0)
    private let missingBits: Int

    /// Prepares for a scan with a table for each of its one to four components, which leaves so
    /// many low bits to later scans.
    init(tables: [HuffmanTable], missingBits: Int) {
        self.tables = tables
        self.missingBits = missingBits
        lookup = tables.flatMap(\.lookup)
    }

    mutating func restart() { predictions = InlineArray(repeating: 0) }

    @inline(__always)
    mutating func decode(_ reader: inout BitReader, component: Int, known: Int16) -> Int16? {
        let beginning = Int(truncatingIfNeeded: reader.bits >> (64 - HuffmanTable.lookupBits))
        let entry = Int(lookup[component << HuffmanTable.lookupBits | beginning])
        var (length, category) = (entry >> 4, entry & 15)
        if length == 0 {
            let bits = Int(truncatingIfNeeded: reader.bits >> 48)
            guard let code = tables[component].longCode(bits) else { return nil }
            (length, category) = code
        }
        reader.drop(length)
        // The bits of a positive difference begin with a one; those of a negative one are a less.
        let bits = Int(truncatingIfNeeded: (reader.bits &>> 1) &>> UInt64(63 &- category))
        let isNegative = reader.bits >> 63 == 0
        reader.drop(category)
        let difference = isNegative ? bits &- (1 &<< category) &+ 1 : bits
        let prediction = predictions[component] &+ difference
        let value = prediction &<< missingBits
        guard reader.count >= 0, Self.values.contains(value) else { return nil }
        predictions[component] = prediction
        return Int16(truncatingIfNeeded: value)
    }
}

/// The coding of a later scan: one more bit.
struct RefinementCoding: FirstCoefficientCoding {
    /// Which bit, from 0.
    let position: Int

    mutating func restart() {}

    @inline(__always)
    mutating func decode(_ reader: inout BitReader, component: Int, known: Int16) -> Int16? {
        let bit = Int16(truncatingIfNeeded: reader.bits >> 63)
        reader.drop(1)
        return reader.count >= 0 ? known | bit &<< Int16(position) : nil
    }
}
