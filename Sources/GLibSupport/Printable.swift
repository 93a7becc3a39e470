/// Bytes as text that does nothing to a terminal: what would, or is not UTF-8, is spelled out.
///
/// Names of files may hold escape sequences, and marks that turn the direction of writing.
public func printable(_ bytes: [UInt8]) -> String {
    var result = ""
    var rest = bytes[...]
    while !rest.isEmpty {
        var decoder = UTF8()
        var iterator = rest.makeIterator()
        if case .scalarValue(let scalar) = decoder.decode(&iterator) {
            result += printable(scalar)
            rest = rest.dropFirst(UTF8.width(scalar))
        } else {
            // Only the first byte is surely wrong: the next may start a character.
            result += escape(UInt32(rest.removeFirst()))
        }
    }
    return result
}

/// Text from elsewhere, such as the daemon's messages, in the same way.
public func printable(_ text: String) -> String {
    text.unicodeScalars.map(printable).joined()
}

private func printable(_ scalar: Unicode.Scalar) -> String {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
        .unassigned:
        escape(scalar.value)
    default: String(Character(scalar))
    }
}

private func escape(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return value < 0x100 ? "\\x" + (digits.count < 2 ? "0" : "") + digits : "\\u{\(digits)}"
}
