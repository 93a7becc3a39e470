/// Writes a picture of first coefficients alone as a JPEG of one scan.
struct FirstCoefficientWriter {
    /// Bits of a block, at most: 5 of a category, 15 of a difference, and the end of the block.
    private static let blockBits = 21
    /// How many codes there are of 1 to 16 bits. Those of differences are their categories in four
    /// bits; as no code is of ones alone, category 15 has five. The end of a block is a zero.
    private static let differenceCodes: [UInt8] =
        [0, 0, 0, 15, 1] + [UInt8](repeating: 0, count: 11)
    private static let blockCodes: [UInt8] = [1] + [UInt8](repeating: 0, count: 15)

    private var writer = BitWriter()

    /// Writes the headers, the values of the frame's blocks in one scan, and the end; `nil` if one
    /// scan may not have so many components.
    static func write(_ headers: [UInt8], _ frame: JPEGFrame, _ values: [Int16]) -> [UInt8]? {
        guard let order = frame.order(of: Array(frame.components.indices)) else { return nil }
        var start = headers
        start.appendSegment(0xC4, length: 2 * 17 + 17)
        start += [0x00] + differenceCodes + (0...15)
        start += [0x10] + blockCodes + [0]
        start.appendSegment(0xDA, length: 4 + 2 * frame.components.count)
        start.append(UInt8(frame.components.count))
        for component in frame.components { start += [component.id, 0] }
        // All 64 coefficients with all of their bits.
        start += [0, 63, 0]
        // A byte of ones takes two, and so may each of those that end the data.
        let capacity = start.count + order.blockCount * Self.blockBits / 4 + 32
        return [UInt8](capacity: capacity) { bytes in
            for byte in start { bytes.append(byte) }
            var writer = FirstCoefficientWriter()
            writer.write(order, values.span, into: &bytes)
            bytes.append(0xFF)
            bytes.append(0xD9)
        }
    }

    private mutating func write(
        _ order: JPEGFrame.Order, _ values: Span<Int16>, into bytes: inout OutputSpan<UInt8>
    ) {
        let blocks = order.blocks.span
        var predictions = InlineArray<4, Int>(repeating: 0)
        for row in 0..<order.rows {
            for column in 0..<order.columns {
                for index in blocks.indices {
                    let block = blocks[index]
                    let place = block.start &+ row &* block.rowStep &+ column &* block.columnStep
                    let value = Int(values[place])
                    put(value &- predictions[block.component], into: &bytes)
                    predictions[block.component] = value
                }
            }
        }
        writer.finish(into: &bytes)
    }

    /// Writes a block: the difference of its first coefficient, and that there are no others.
    @inline(__always)
    private mutating func put(_ difference: Int, into bytes: inout OutputSpan<UInt8>) {
        let category = Int.bitWidth &- difference.magnitude.leadingZeroBitCount
        let isLong = category == 15
        let code = UInt64(truncatingIfNeeded: isLong ? 30 : category)
        // One less, if it is negative; of both only the lower bits.
        let rest =
            UInt64(truncatingIfNeeded: difference &+ difference >> 63)
            & ((1 &<< UInt64(category)) &- 1)
        let value = (code &<< UInt64(category) | rest) &<< 1
        writer.append(value, (isLong ? 6 : 5) &+ category, into: &bytes)
    }
}

extension [UInt8] {
    /// Adds the marker and the length of a segment whose content, of up to 65,533 bytes, follows.
    mutating func appendSegment(_ code: UInt8, length: Int) {
        self += [0xFF, code, UInt8((length + 2) >> 8), UInt8((length + 2) & 255)]
    }
}
