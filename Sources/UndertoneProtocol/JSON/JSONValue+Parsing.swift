package import CJansson

extension JSONValue {
    /// Parses a text that holds exactly one object.
    ///
    /// - Throws: `parse_error`, or `invalid_request` where a number is one that no program holds.
    static func parsing(_ text: UnsafeRawBufferPointer) throws(RequestError) -> [Member] {
        if unsafe text.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw RequestError(
                .parseError, "the line starts with a byte order mark; send UTF-8 without one")
        }
        // jansson recurses; this comes first, so that no text can exhaust the stack.
        guard unsafe nesting(of: text) <= Limits.nesting else {
            throw RequestError(.parseError, "nested more than \(Limits.nesting) deep")
        }
        let bytes = unsafe text.baseAddress?.assumingMemoryBound(to: CChar.self)
        var error = json_error_t()
        let flags = Int(JSON_REJECT_DUPLICATES)
        guard let root = unsafe json_loadb(bytes, text.count, flags, &error) else {
            throw failure(error)
        }
        defer { unsafe json_decref(root) }
        guard unsafe root.pointee.type == JSON_OBJECT else {
            throw RequestError(.parseError, "not a JSON object")
        }
        return unsafe members(of: root)
    }

    /// Returns how deep a text's objects and arrays nest, whatever else may be wrong with it.
    private static func nesting(of text: UnsafeRawBufferPointer) -> Int {
        var depth = 0
        var deepest = 0
        var inString = false
        var escaped = false
        for index in text.indices {
            let byte = unsafe text[index]
            if inString {
                if escaped {
                    escaped = false
                } else if byte == UInt8(ascii: "\\") {
                    escaped = true
                } else if byte == UInt8(ascii: "\"") {
                    inString = false
                }
            } else if byte == UInt8(ascii: "\"") {
                inString = true
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                depth += 1
                deepest = max(deepest, depth)
            } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                depth -= 1
            }
        }
        return deepest
    }

    /// Says in one line what jansson found, with the byte at which it did.
    private static func failure(_ error: json_error_t) -> RequestError {
        var error = error
        // The last byte of the text is the code; the rest is NUL-terminated before it.
        let length = Int(JSON_ERROR_TEXT_LENGTH)
        let (code, reason) = unsafe withUnsafeBytes(of: &error.text) { text in
            let reason = unsafe text.prefix(length - 1).prefix { $0 != 0 }
            return (unsafe text[length - 1], unsafe String(decoding: reason, as: UTF8.self))
        }
        if UInt32(code) == json_error_numeric_overflow.rawValue {
            return .invalid("a number is out of range")
        }
        // jansson quotes what it read, which may be half a line long and end inside a character.
        // Of a NUL it names its own option, by which it would allow one.
        let end = reason.firstRange(of: " near ") ?? reason.firstRange(of: " without ")
        let plain = end.map { reason[..<$0.lowerBound] } ?? reason[...]
        return RequestError(.parseError, "not JSON at byte \(error.position): \(plain)")
    }

    private static func members(of object: UnsafeMutablePointer<json_t>) -> [Member] {
        unsafe object.members { name, value in
            Member(name: name, value: unsafe JSONValue(value))
        }
    }

    private init(_ value: UnsafeMutablePointer<json_t>) {
        switch unsafe value.pointee.type {
        case JSON_OBJECT: self = unsafe .object(JSONValue.members(of: value))
        case JSON_ARRAY: self = .array
        case JSON_STRING:
            self = unsafe .string(
                [UInt8](
                    UnsafeRawBufferPointer(
                        start: json_string_value(value), count: json_string_length(value))))
        case JSON_INTEGER: self = unsafe .integer(json_integer_value(value))
        case JSON_REAL: self = unsafe .real(json_real_value(value))
        case JSON_NULL: self = .null
        case JSON_TRUE: self = .boolean(true)
        default: self = .boolean(false)
        }
    }
}

extension UnsafeMutablePointer<json_t> {
    /// Returns what becomes of an object's members, in the order of the text.
    package func members<Member>(
        _ member: (String, UnsafeMutablePointer<json_t>) -> Member
    ) -> [Member] {
        var members: [Member] = []
        unsafe members.reserveCapacity(json_object_size(self))
        var iterator = unsafe json_object_iter(self)
        while let current = unsafe iterator {
            let name = unsafe UnsafeRawBufferPointer(
                start: json_object_iter_key(current), count: json_object_iter_key_len(current))
            if let value = unsafe json_object_iter_value(current) {
                members.append(unsafe member(String(decoding: name, as: UTF8.self), value))
            }
            unsafe iterator = unsafe json_object_iter_next(self, current)
        }
        return members
    }
}
