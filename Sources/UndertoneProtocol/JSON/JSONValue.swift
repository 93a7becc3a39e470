/// A value of a parsed JSON text, as far as requests look at one.
enum JSONValue: Equatable {
    /// The members in the order of the text; no two have one name.
    case object([Member])
    /// An array; no request takes one, so nobody looks inside.
    case array
    /// A string's UTF-8 bytes; strings may be paths, which stay bytes.
    case string([UInt8])
    case integer(Int64)
    case real(Double)
    case boolean(Bool)
    case null

    /// A name and its value.
    struct Member: Equatable {
        var name: String
        var value: JSONValue
    }

    /// The value of a number of either kind.
    var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        default: nil
        }
    }

    /// A string as text.
    var text: String? {
        if case .string(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
    }
}
