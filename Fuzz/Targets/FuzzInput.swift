/// Values taken from a fuzzer's bytes; when those run out, everything is zero.
struct FuzzInput {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    mutating func byte() -> UInt8 {
        rest.popFirst() ?? 0
    }

    mutating func integer<Value: FixedWidthInteger>(_: Value.Type = Value.self) -> Value {
        var value: Value = 0
        for shift in stride(from: 0, to: Value.bitWidth, by: 8) {
            value |= Value(truncatingIfNeeded: byte()) << Value(shift)
        }
        return value
    }

    /// A number from 0 to a bound, itself included.
    mutating func integer(upTo bound: Int) -> Int {
        Int(integer(UInt32.self)) % (bound + 1)
    }

    /// A number within a range, both ends of it often.
    mutating func double(in range: ClosedRange<Double>) -> Double {
        let share = integer(UInt16.self)
        if share == 0 { return range.lowerBound }
        if share == .max { return range.upperBound }
        let length = range.upperBound - range.lowerBound
        return min(range.lowerBound + length * Double(share) / 65535, range.upperBound)
    }

    /// One of some values.
    mutating func choice<Value>(of values: [Value]) -> Value {
        values[Int(byte()) % values.count]
    }

    /// Everything that is left.
    mutating func remainder() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}
