import UndertoneProtocol

/// Reads the first coefficients of a progressive JPEG's blocks, from its headers and the scans that
/// hold nothing else.
struct FirstCoefficientReader {
    private(set) var frame: JPEGFrame?
    /// The value of each block, before it is multiplied by the quantization table's.
    private(set) var values: [Int16] = []
    /// What the file says before its first scan, but for what only its own scans need, as the
    /// headers of a picture in one scan.
    private(set) var headers: [UInt8] = [0xFF, 0xD8]

    /// The tables of differences as they stand in the file.
    private var definitions = [HuffmanDefinition?](repeating: nil, count: 4)
    private var quantizationTables: Set<Int> = []
    private var restartInterval = 0
    /// For each component, how many of its values' low bits are missing yet.
    private var missingBits: [Int?] = []

    /// Whether there is something of every component.
    var isColored: Bool { !missingBits.isEmpty && !missingBits.contains(nil) }

    /// Reads segments, up to the end of a part of the file or of the scan that it ends with.
    mutating func read(_ bytes: Span<UInt8>, _ part: Range<Int>) throws(JPEGFault) {
        var segments = JPEGSegments(part)
        while let (code, content) = try segments.next(bytes) {
            if code == 0xDA {
                try readScan(bytes, content, data: content.upperBound..<part.upperBound)
                return
            }
            try readSegment(code, bytes.extracting(content))
        }
    }

    private mutating func readSegment(_ code: UInt8, _ content: Span<UInt8>) throws(JPEGFault) {
        switch code {
        case 0xC4:
            try readHuffmanTables(content)
        case 0xDD:
            guard content.count == 2, let interval = content.bigEndian(at: 0, bytes: 2) else {
                throw JPEGFault()
            }
            restartInterval = interval
        case 0xC2 where frame == nil:
            guard let frame = JPEGFrame(content) else { throw JPEGFault() }
            self.frame = frame
            missingBits = [Int?](repeating: nil, count: frame.components.count)
            // The frame of a picture in one scan is the same but for its marker.
            try pass(0xC1, content)
        case 0xDB where values.isEmpty:
            try readQuantizationTables(content)
            try pass(code, content)
        case 0xE0...0xEF, 0xFE:
            if values.isEmpty { try pass(code, content) }
        // Tables that change between scans too: a component keeps those of its first scan.
        default:
            throw JPEGFault()
        }
    }

    private mutating func pass(_ code: UInt8, _ content: Span<UInt8>) throws(JPEGFault) {
        guard headers.count + content.count <= Limits.headerBytes else { throw JPEGFault() }
        headers.appendSegment(code, length: content.count)
        for index in content.indices { headers.append(content[index]) }
    }

    private mutating func readQuantizationTables(_ content: Span<UInt8>) throws(JPEGFault) {
        var offset = 0
        while let selector = content.byte(at: offset) {
            guard selector & 15 < 4 else { throw JPEGFault() }
            quantizationTables.insert(Int(selector & 15))
            offset += 1 + (selector >> 4 == 0 ? 64 : 128)
        }
        if offset != content.count { throw JPEGFault() }
    }

    private mutating func readHuffmanTables(_ content: Span<UInt8>) throws(JPEGFault) {
        for definition in try HuffmanDefinition.all(in: content) where !definition.isOfOthers {
            definitions[definition.number] = definition
        }
    }

    private mutating func readScan(
        _ bytes: Span<UInt8>, _ content: Range<Int>, data: Range<Int>
    ) throws(JPEGFault) {
        guard let frame, let header = Header(bytes.extracting(content), frame),
            let order = frame.order(of: header.components)
        else { throw JPEGFault() }
        for index in header.components {
            let isNext =
                header.isRefinement
                ? missingBits[index] == header.missingBits + 1 : missingBits[index] == nil
            guard isNext, quantizationTables.contains(frame.components[index].quantizationTable)
            else { throw JPEGFault() }
            missingBits[index] = header.missingBits
        }
        let scan = FirstCoefficientScan(order: order, data: data, restartInterval: restartInterval)
        guard scan.isPossible else { throw JPEGFault() }
        if values.isEmpty { values = [Int16](repeating: 0, count: frame.blockCount) }
        let isDecoded: Bool
        if header.isRefinement {
            let coding = RefinementCoding(position: header.missingBits)
            isDecoded = scan.decode(bytes, by: coding, into: &values)
        } else {
            let tables = header.tables.compactMap { definitions[$0].flatMap(HuffmanTable.init) }
            guard tables.count == header.tables.count else { throw JPEGFault() }
            let coding = DifferenceCoding(tables: tables, missingBits: header.missingBits)
            isDecoded = scan.decode(bytes, by: coding, into: &values)
        }
        if !isDecoded { throw JPEGFault() }
    }
}

extension FirstCoefficientReader {
    /// The header of a scan of first coefficients.
    private struct Header {
        /// The places of components in the frame, and the table of each.
        private(set) var components: [Int] = []
        private(set) var tables: [Int] = []
        let missingBits: Int
        /// Whether an earlier scan has told all but this bit and lower ones.
        let isRefinement: Bool

        init?(_ content: Span<UInt8>, _ frame: JPEGFrame) {
            guard let count = content.byte(at: 0), (1...4).contains(count),
                content.count == 4 + 2 * Int(count)
            else { return nil }
            let coefficients = content.bigEndian(at: content.count - 3, bytes: 2)
            let bits = content[content.count - 1]
            missingBits = Int(bits & 15)
            isRefinement = bits >> 4 > 0
            guard coefficients == 0, missingBits <= 13,
                !isRefinement || Int(bits >> 4) == missingBits + 1
            else { return nil }
            for offset in stride(from: 1, to: content.count - 3, by: 2) {
                let place = frame.components.firstIndex { $0.id == content[offset] }
                let table = Int(content[offset + 1] >> 4)
                // Each once, in the frame's order.
                guard let place, place > components.last ?? -1, table < 4 else { return nil }
                components.append(place)
                tables.append(table)
            }
        }
    }
}
