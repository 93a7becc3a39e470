/// Collects little-endian fields, one after another.
package struct ByteWriter {
    /// What was collected so far.
    package private(set) var bytes: [UInt8] = []

    /// Creates a writer with room for some bytes.
    package init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Appends an integer.
    package mutating func append(_ value: some FixedWidthInteger) {
        for shift in stride(from: 0, to: value.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Appends a number by its bit pattern.
    package mutating func append(_ value: Double) {
        append(value.bitPattern)
    }

    /// Appends bytes as they are.
    package mutating func append(raw values: some Sequence<UInt8>) {
        bytes.append(contentsOf: values)
    }
}

/// Takes bytes apart field by field; every read answers nil once the bytes run out.
package struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0

    /// Reads some bytes from their beginning.
    package init(_ bytes: some Collection<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// The number of bytes not read so far.
    package var remaining: Int { bytes.count - position }
    /// Whether nothing is left, as there must be at the end of a message.
    package var isAtEnd: Bool { remaining == 0 }

    /// Reads an integer.
    package mutating func read<Value: FixedWidthInteger>(_: Value.Type = Value.self) -> Value? {
        let size = Value.bitWidth / 8
        guard remaining >= size else { return nil }
        var value: Value = 0
        for offset in (0..<size).reversed() {
            // A shift by the whole width, as for a single byte, answers 0 and does not trap.
            value = value << 8 | Value(truncatingIfNeeded: bytes[position + offset])
        }
        position += size
        return value
    }

    /// Reads a number by its bit pattern, whatever it is.
    package mutating func readDouble() -> Double? {
        read(UInt64.self).map(Double.init(bitPattern:))
    }

    /// Reads a truth value, which only 0 and 1 are.
    package mutating func readFlag() -> Bool? {
        switch read(UInt8.self) {
        case 0: false
        case 1: true
        default: nil
        }
    }

    /// Reads some bytes as they are.
    package mutating func read(count: Int) -> ArraySlice<UInt8>? {
        guard count <= remaining else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Reads everything that is left.
    package mutating func readRest() -> ArraySlice<UInt8> {
        defer { position = bytes.count }
        return bytes[position...]
    }

    /// Whether the next bytes are all zero, and all there; they are then skipped.
    package mutating func skipZeros(_ count: Int) -> Bool {
        guard remaining >= count, bytes[position..<position + count].allSatisfy({ $0 == 0 }) else {
            return false
        }
        position += count
        return true
    }
}
