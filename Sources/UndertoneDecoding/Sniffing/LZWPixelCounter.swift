/// Counts the pixels that a GIF's compressed data hold, without making any.
///
/// The loader does not tell when data end early: it leaves the rest transparent.
struct LZWPixelCounter {
    private let minimumCodeSize: Int
    private var offset: Int
    private var blockEnd: Int
    private var bits: UInt32 = 0
    private var bitCount = 0
    /// How many pixels each code of the table stands for.
    private var lengths = [Int](repeating: 1, count: 4096)

    /// Begins at the byte that tells the smallest code size; sub-blocks follow it.
    init(_ bytes: Span<UInt8>, at start: Int) {
        minimumCodeSize = Int(bytes.byte(at: start) ?? 0)
        offset = start + 1
        blockEnd = start + 1
    }

    /// Whether the data hold at least so many pixels.
    mutating func reaches(_ wanted: Int, in bytes: Span<UInt8>) -> Bool {
        guard (1...11).contains(minimumCodeSize) else { return false }
        let clear = 1 << minimumCodeSize
        var codeSize = minimumCodeSize + 1
        var next = clear + 2
        var previous = 0
        var pixels = 0
        while pixels < wanted {
            guard let code = nextCode(codeSize, in: bytes), code != clear + 1 else { return false }
            if code == clear {
                codeSize = minimumCodeSize + 1
                next = clear + 2
                previous = 0
                continue
            }
            // The one code that is not yet in the table repeats the previous one and a pixel.
            let isKnown = code < clear || code < next
            guard isKnown || code == next && previous > 0 else { return false }
            let length = isKnown ? lengths[code] : previous + 1
            pixels += length
            if previous > 0, next < 4096 {
                lengths[next] = previous + 1
                next += 1
                if next == 1 << codeSize, codeSize < 12 { codeSize += 1 }
            }
            previous = length
        }
        return true
    }

    private mutating func nextCode(_ size: Int, in bytes: Span<UInt8>) -> Int? {
        while bitCount < size {
            if offset == blockEnd {
                guard let length = bytes.byte(at: offset), length > 0 else { return nil }
                offset += 1
                blockEnd = offset + Int(length)
            }
            guard let byte = bytes.byte(at: offset) else { return nil }
            offset += 1
            bits |= UInt32(byte) << bitCount
            bitCount += 8
        }
        let code = bits & (1 << UInt32(size) - 1)
        bits >>= UInt32(size)
        bitCount -= size
        return Int(code)
    }
}
