/// Something about a JPEG that a decoder would complain of, or that nobody writes.
struct JPEGFault: Error {}

/// Takes the segments of a part of a JPEG, one after the other (ITU-T T.81, annex B.1.1.4).
struct JPEGSegments {
    private var offset: Int
    private let end: Int

    /// Begins with a part of the bytes; the first one is to begin with the start of the image.
    init(_ part: Range<Int>) {
        offset = part.lowerBound
        end = part.upperBound
    }

    /// The next segment's code and where its content is; `nil` at the end of the part.
    mutating func next(
        _ bytes: Span<UInt8>
    ) throws(JPEGFault) -> (code: UInt8, content: Range<Int>)? {
        guard end <= bytes.count else { throw JPEGFault() }
        if offset == 0, end > 0 {
            guard end >= 2, bytes[0] == 0xFF, bytes[1] == 0xD8 else { throw JPEGFault() }
            offset = 2
        }
        if offset == end { return nil }
        let start = offset
        while offset < end, bytes[offset] == 0xFF { offset += 1 }
        guard offset > start, offset < end else { throw JPEGFault() }
        let code = bytes[offset]
        offset += 1
        guard let length = bytes.bigEndian(at: offset, bytes: 2), length >= 2,
            length <= end - offset
        else { throw JPEGFault() }
        let content = offset + 2..<offset + length
        offset += length
        return (code, content)
    }
}

/// A Huffman table as it stands in a file (ITU-T T.81, annex B.2.4.2).
struct HuffmanDefinition {
    /// Whether it is of other coefficients than the first.
    var isOfOthers: Bool
    /// Its number, 0…3.
    var number: Int
    /// How many codes there are of 1 to 16 bits.
    var counts: [UInt8]
    /// What the codes stand for.
    var symbols: [UInt8]

    /// Takes all tables of a segment.
    static func all(in content: Span<UInt8>) throws(JPEGFault) -> [HuffmanDefinition] {
        var tables: [HuffmanDefinition] = []
        var offset = 0
        while let selector = content.byte(at: offset) {
            guard selector & 0xEF < 4, content.count - offset >= 17 else { throw JPEGFault() }
            let counts = (1...16).map { content[offset + $0] }
            let codes = counts.reduce(0) { $0 + Int($1) }
            offset += 17
            guard codes <= 256, codes <= content.count - offset else { throw JPEGFault() }
            tables.append(
                HuffmanDefinition(
                    isOfOthers: selector >= 4, number: Int(selector & 15), counts: counts,
                    symbols: (offset..<offset + codes).map { content[$0] }))
            offset += codes
        }
        return tables
    }

    /// Each symbol's code, its length in bits and the symbol, in order (ITU-T T.81, annex C); `nil`
    /// where there are too many codes of a length, or one of ones alone.
    func codes() -> [(code: Int, length: Int, symbol: UInt8)]? {
        var codes: [(code: Int, length: Int, symbol: UInt8)] = []
        var code = 0
        for (index, count) in counts.enumerated() {
            guard codes.count + Int(count) <= symbols.count else { return nil }
            for _ in 0..<count {
                codes.append((code, index + 1, symbols[codes.count]))
                code += 1
                if code >= 1 << (index + 1) { return nil }
            }
            code <<= 1
        }
        return codes.count == symbols.count ? codes : nil
    }
}
