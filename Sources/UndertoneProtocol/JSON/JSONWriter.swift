public import UndertoneColor

/// Writes JSON into bytes: fast, whatever the locale, and always one line.
///
/// It writes what it is told in the order in which it is told; the caller balances brackets.
public struct JSONWriter: Sendable {
    /// What was written so far.
    public internal(set) var bytes: [UInt8] = []

    /// Creates a writer with room for `capacity` bytes.
    public init(capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    /// Starts an object, as a value.
    public mutating func beginObject() { byte("{") }

    /// Ends the innermost object.
    public mutating func endObject() { byte("}") }

    /// Starts an array, as a value.
    public mutating func beginArray() { byte("[") }

    /// Ends the innermost array.
    public mutating func endArray() { byte("]") }

    /// Separates the next element of an array from the one before it.
    public mutating func element() {
        if bytes.last != UInt8(ascii: "[") { byte(",") }
    }

    /// Writes a member's name, which needs no escaping; its value comes next.
    public mutating func name(_ name: StaticString) {
        separate()
        byte("\"")
        literal(name)
        byte("\"")
        byte(":")
    }

    /// Writes a member's name, whatever it holds; its value comes next.
    public mutating func name(escaping name: String) {
        separate()
        value(name)
        byte(":")
    }

    /// Writes `null`.
    public mutating func null() { literal("null") }

    /// Writes `true` or `false`.
    public mutating func value(_ value: Bool) { literal(value ? "true" : "false") }

    /// Writes a string; slashes stay as they are.
    public mutating func value(_ text: String) {
        byte("\"")
        if text.utf8.contains(where: mustBeEscaped) {
            for byte in text.utf8 { escaped(byte) }
        } else {
            bytes.append(contentsOf: text.utf8)
        }
        byte("\"")
    }

    /// Writes a colour as `"#rrggbb"`.
    public mutating func value(_ color: RGB8) {
        byte("\"")
        byte("#")
        hexadecimal(color.red)
        hexadecimal(color.green)
        hexadecimal(color.blue)
        byte("\"")
    }

    /// Ends the line.
    mutating func endLine() { byte("\n") }

    /// Writes text that is JSON already.
    mutating func literal(_ text: StaticString) {
        text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    /// Writes one ASCII character.
    mutating func byte(_ character: Unicode.Scalar) {
        bytes.append(UInt8(ascii: character))
    }

    private mutating func separate() {
        if bytes.last != UInt8(ascii: "{") { byte(",") }
    }

    private func mustBeEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): literal("\\\"")
        case UInt8(ascii: "\\"): literal("\\\\")
        case UInt8(ascii: "\n"): literal("\\n")
        case UInt8(ascii: "\r"): literal("\\r")
        case UInt8(ascii: "\t"): literal("\\t")
        case 0..<0x20:
            literal("\\u00")
            hexadecimal(byte)
        default: bytes.append(byte)
        }
    }

    private mutating func hexadecimal(_ byte: UInt8) {
        digit(byte >> 4)
        digit(byte & 15)
    }

    private mutating func digit(_ digit: UInt8) {
        bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + (digit - 10))
    }
}
