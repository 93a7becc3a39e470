/// Writes bits as a JPEG's entropy-coded data, most significant first.
struct BitWriter {
    /// Bits that are not in the bytes yet, at the lower end.
    private var bits: UInt64 = 0
    private var count = 0

    /// Adds up to 32 bits, above which there are zeros.
    @inline(__always)
    mutating func append(_ value: UInt64, _ length: Int, into bytes: inout OutputSpan<UInt8>) {
        bits = bits &<< UInt64(length) | value
        count &+= length
        if count < 32 { return }
        count &-= 32
        let word = UInt32(truncatingIfNeeded: bits &>> UInt64(count))
        for shift in [UInt32(24), 16, 8, 0] {
            Self.append(UInt8(truncatingIfNeeded: word &>> shift), to: &bytes)
        }
    }

    /// Fills the last byte up with ones.
    mutating func finish(into bytes: inout OutputSpan<UInt8>) {
        append(UInt64(0x7F), 7, into: &bytes)
        while count >= 8 {
            count -= 8
            Self.append(UInt8(truncatingIfNeeded: bits >> UInt64(count)), to: &bytes)
        }
        count = 0
    }

    @inline(__always)
    private static func append(_ byte: UInt8, to bytes: inout OutputSpan<UInt8>) {
        bytes.append(byte)
        // A zero tells it from a marker.
        if byte == 0xFF { bytes.append(0) }
    }
}
