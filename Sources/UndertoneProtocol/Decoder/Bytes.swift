/// Collects the little-endian fields of a message between the daemon and its decoders.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append<Value: FixedWidthInteger>(_ value: Value) {
        var rest = value.littleEndian
        for _ in 0..<(Value.bitWidth / 8) {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            // A shift by the whole width, as for a single byte, answers 0 and does not trap.
            rest >>= 8
        }
    }

    mutating func append(_ value: Double) {
        append(value.bitPattern)
    }

    mutating func append(raw values: some Sequence<UInt8>) {
        bytes.append(contentsOf: values)
    }
}

/// Takes a message apart field by field; every read answers nil once the bytes run out.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Collection<UInt8>) {
        rest = ArraySlice(Array(bytes))
    }

    /// Whether nothing is left, as there must be at the end of a message.
    var isAtEnd: Bool { rest.isEmpty }

    mutating func read<Value: FixedWidthInteger>(_: Value.Type = Value.self) -> Value? {
        let size = Value.bitWidth / 8
        guard let field = read(count: size) else { return nil }
        var value: Value = 0
        for byte in field.reversed() {
            value = (value << 8) | Value(truncatingIfNeeded: byte)
        }
        return value
    }

    mutating func readDouble() -> Double? {
        guard let pattern = read(UInt64.self) else { return nil }
        return Double(bitPattern: pattern)
    }

    /// Only 0 and 1 are truth values.
    mutating func readFlag() -> Bool? {
        switch read(UInt8.self) {
        case 0: false
        case 1: true
        default: nil
        }
    }

    mutating func read(count: Int) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Everything that is left.
    mutating func readRest() -> ArraySlice<UInt8> {
        defer { rest = [] }
        return rest
    }
}

/// What every message between a daemon and its decoders begins with: a decoder that was replaced on
/// disk while its daemon ran is refused, not misunderstood.
enum DecoderWire {
    static let version: UInt8 = 1
}
