/// Takes bits from a JPEG's entropy-coded data, most significant first (ITU-T T.81, annex F.2.2.5).
///
/// The bytes are handed in each time: a value that held them could not be stored.
struct BitReader {
    /// How many bits can be taken after each `fill`.
    static let readyBits = 56

    /// The bits that come next, at the upper end; below them there is the beginning of the byte
    /// after them, or zeros.
    private(set) var bits: UInt64 = 0
    /// How many there are; below 0 where more were taken than the data hold.
    private(set) var count = 0
    private var offset: Int
    private let end: Int

    /// Reads a part of the bytes.
    init(_ data: Range<Int>) {
        offset = data.lowerBound
        end = data.upperBound
    }

    /// Has at least `readyBits` bits ready, if there are so many before the next marker.
    @inline(__always)
    mutating func fill(_ bytes: Span<UInt8>) {
        if end - offset >= 8, count >= 0 {
            let word = UInt64(
                bigEndian: unsafe bytes.bytes.unsafeLoadUnaligned(
                    fromByteOffset: offset, as: UInt64.self))
            // No byte of it is 0xFF: no byte of its complement is 0.
            if (~word &- 0x0101_0101_0101_0101) & word & 0x8080_8080_8080_8080 == 0 {
                // What is there already is there once more, so that no branch hangs on the number.
                bits |= word &>> UInt64(truncatingIfNeeded: count)
                offset &+= (63 &- count) &>> 3
                count |= 56
                return
            }
        }
        if (0..<Self.readyBits).contains(count) { fillBytewise(bytes) }
    }

    @inline(never)
    private mutating func fillBytewise(_ bytes: Span<UInt8>) {
        while count < Self.readyBits, offset < end {
            let byte = bytes[offset]
            if byte == 0xFF {
                // A byte of data has a zero behind it, and anything else is a marker.
                guard offset + 1 < end, bytes[offset + 1] == 0 else { return }
                offset += 1
            }
            offset += 1
            bits |= UInt64(byte) << UInt64(56 - count)
            count += 8
        }
    }

    /// The next so many bits, with zeros behind the last.
    @inline(__always)
    func beginning(_ length: Int) -> Int {
        Int(truncatingIfNeeded: bits &>> UInt64(64 &- length))
    }

    /// Takes up to 32 bits away.
    @inline(__always)
    mutating func drop(_ number: Int) {
        bits &<<= UInt64(truncatingIfNeeded: number)
        count &-= number
    }

    /// Whether nothing is left but the bits that fill up the last byte.
    var isAtEnd: Bool { offset == end && (0..<8).contains(count) }

    /// Goes on behind a restart marker of a number from 0 to 7; false if it is not what comes next.
    mutating func restart(_ bytes: Span<UInt8>, number: Int) -> Bool {
        guard (0..<8).contains(count), end - offset >= 2, bytes[offset] == 0xFF,
            bytes[offset + 1] == 0xD0 + UInt8(number)
        else { return false }
        offset += 2
        bits = 0
        count = 0
        return true
    }
}
