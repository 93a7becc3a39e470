/// Reads fields one after another and names the first that is wrong.
struct SummaryReader: ~Copyable {
    private var bytes: ByteReader

    init(_ bytes: [UInt8]) {
        self.bytes = ByteReader(bytes)
    }

    /// The number of bytes not read so far.
    var remaining: Int { bytes.remaining }

    /// Reads an integer.
    mutating func integer<Value: FixedWidthInteger>(
        _ field: @autoclosure () -> String, as type: Value.Type = Value.self
    ) throws(SummaryFault) -> Value {
        guard let value = bytes.read(type) else { throw SummaryFault(field()) }
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
    mutating func skipZeros(_ count: Int) -> Bool { bytes.skipZeros(count) }
}

/// Appends the fields that a `SummaryReader` reads.
struct SummaryWriter: ~Copyable {
    private var writer: ByteWriter

    init(capacity: Int) {
        writer = ByteWriter(capacity: capacity)
    }

    var bytes: [UInt8] { writer.bytes }

    mutating func integer(_ value: some FixedWidthInteger) { writer.append(value) }

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
        writer.append(raw: repeatElement(0, count: count))
    }
}
