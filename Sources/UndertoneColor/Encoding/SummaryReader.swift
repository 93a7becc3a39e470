/// Reads little-endian fields one after another and names the first that is wrong.
struct SummaryReader: ~Copyable {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The bytes not read so far.
    var remaining: Int { bytes.count - position }

    /// Reads an integer.
    mutating func integer<Value: FixedWidthInteger>(
        _ field: @autoclosure () -> String, as type: Value.Type = Value.self
    ) throws(SummaryFault) -> Value {
        let size = Value.bitWidth / 8
        guard remaining >= size else { throw SummaryFault(field()) }
        var value: Value = 0
        for offset in (0..<size).reversed() {
            value = value << 8 | Value(truncatingIfNeeded: bytes[position + offset])
        }
        position += size
        return value
    }

    /// Reads a finite number within a range.
    mutating func double(
        _ field: @autoclosure () -> String, _ range: ClosedRange<Double>
    ) throws(SummaryFault) -> Double {
        let value = Double(bitPattern: try integer(field()))
        // Minus zero would make two encodings of one summary.
        guard range.contains(value), value.bitPattern != (-0.0).bitPattern else {
            throw SummaryFault(field())
        }
        return value
    }

    /// Reads three numbers within a range.
    mutating func triple(
        _ field: @autoclosure () -> String, _ range: ClosedRange<Double>
    ) throws(SummaryFault) -> SIMD3<Double> {
        let x = try double(field(), range)
        let y = try double(field(), range)
        return SIMD3(x, y, try double(field(), range))
    }

    /// Reads a finite single-precision number within a range.
    mutating func float(
        _ field: @autoclosure () -> String, _ range: ClosedRange<Float>
    ) throws(SummaryFault) -> Float {
        let value = Float(bitPattern: try integer(field()))
        guard range.contains(value), value.bitPattern != (-Float(0)).bitPattern else {
            throw SummaryFault(field())
        }
        return value
    }

    /// Reads a colour.
    mutating func color(_ field: @autoclosure () -> String) throws(SummaryFault) -> RGB8 {
        let red: UInt8 = try integer(field())
        let green: UInt8 = try integer(field())
        return RGB8(red: red, green: green, blue: try integer(field()))
    }

    /// Whether the next bytes are all zero, and all there; they are then skipped.
    mutating func skipZeros(_ count: Int) -> Bool {
        guard remaining >= count, bytes[position..<position + count].allSatisfy({ $0 == 0 }) else {
            return false
        }
        position += count
        return true
    }
}

/// Appends little-endian fields.
struct SummaryWriter: ~Copyable {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    mutating func integer(_ value: some FixedWidthInteger) {
        for shift in stride(from: 0, to: value.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    mutating func double(_ value: Double) {
        // Adding 0 turns minus zero, which the reader refuses, into zero.
        integer((value + 0).bitPattern)
    }

    mutating func triple(_ value: SIMD3<Double>) {
        double(value.x)
        double(value.y)
        double(value.z)
    }

    mutating func float(_ value: Float) {
        integer((value + 0).bitPattern)
    }

    mutating func color(_ value: RGB8) {
        integer(value.red)
        integer(value.green)
        integer(value.blue)
    }

    mutating func zeros(_ count: Int) {
        bytes.append(contentsOf: repeatElement(0, count: count))
    }
}
