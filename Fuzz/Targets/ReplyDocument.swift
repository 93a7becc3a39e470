internal import CJansson
internal import UndertoneProtocol

/// A reply's line as a strict client reads it.
///
/// It asks jansson itself, not the code under test.
@safe final class ReplyDocument {
    private let root: UnsafeMutablePointer<json_t>

    /// Reads a line that has to be one JSON object, its newline, and nothing else.
    init(_ line: [UInt8]) throws(Violation) {
        try require(line.last == UInt8(ascii: "\n"), "a reply ends with a newline")
        try require(!line.dropLast().contains { $0 < 0x20 }, "a reply is one line")
        let text = line.dropLast().map { CChar(bitPattern: $0) }
        var error = json_error_t()
        let parsed = unsafe json_loadb(text, text.count, Int(JSON_REJECT_DUPLICATES), &error)
        unsafe root = try require(
            parsed, "a reply is JSON: \(String(decoding: line, as: UTF8.self))")
        guard unsafe root.pointee.type == JSON_OBJECT else {
            throw Violation(description: "a reply is an object")
        }
        let hasResult = unsafe json_object_get(root, "result") != nil
        let hasError = unsafe json_object_get(root, "error") != nil
        try require(hasResult != hasError, "a reply has either a result or an error")
    }

    deinit {
        unsafe json_decref(root)
    }

    /// Requires that the reply carries an identifier, digit for digit and byte for byte.
    func requireID(_ id: RequestID?) throws(Violation) {
        let found = unsafe json_object_get(root, "id")
        switch id {
        case nil: try require(unsafe found == nil, "no identifier was given")
        case .unknown:
            try require(unsafe found?.pointee.type == JSON_NULL, "the identifier is null")
        case .integer(let value):
            let isSame =
                unsafe found?.pointee.type == JSON_INTEGER
                && json_integer_value(found) == value
            try require(isSame, "the identifier is \(value)")
        case .string(let text):
            try require(unsafe string(found) == text, "the identifier is \(text.debugDescription)")
        }
    }

    /// Requires that the reply is an error with a known code and a message for people.
    func requireError() throws(Violation) {
        let error = unsafe json_object_get(root, "error")
        let code = try require(
            unsafe string(json_object_get(error, "code")), "an error has a code")
        try require(ErrorCode(rawValue: code) != nil, "the code \(code) is known")
        let message = try require(
            unsafe string(json_object_get(error, "message")), "an error has a message")
        try require(!message.isEmpty, "an error says something")
    }

    /// Requires that the reply is a result in which no number is missing.
    ///
    /// - Parameter mayBeNull: Whether there is nothing to be seen, and so nothing to be said.
    func requireResult(picture mayBeNull: Bool, regions: [(name: String, mayBeNull: Bool)])
        throws(Violation)
    {
        let result = unsafe json_object_get(root, "result")
        try unsafe requireArea(result, mayBeNull: mayBeNull)
        let areas = unsafe json_object_get(result, "regions")
        try require(unsafe json_object_size(areas) == regions.count, "every region is answered")
        for region in regions {
            let area = unsafe json_object_get(areas, region.name)
            try unsafe requireArea(area, mayBeNull: region.mayBeNull)
        }
    }

    private func requireArea(
        _ area: UnsafeMutablePointer<json_t>?, mayBeNull: Bool
    ) throws(Violation) {
        try require(unsafe !holdsNull(area) || mayBeNull, "nothing that can be seen is null")
    }

    private func holdsNull(_ value: UnsafeMutablePointer<json_t>?) -> Bool {
        guard unsafe value?.pointee.type == JSON_OBJECT else {
            return unsafe value == nil || value?.pointee.type == JSON_NULL
        }
        var iterator = unsafe json_object_iter(value)
        while let current = unsafe iterator {
            // The regions are looked at one by one.
            let isRegions = unsafe String(cString: json_object_iter_key(current)) == "regions"
            let member = unsafe json_object_iter_value(current)
            if !isRegions, unsafe holdsNull(member) { return true }
            unsafe iterator = unsafe json_object_iter_next(value, current)
        }
        return false
    }

    private func string(_ value: UnsafeMutablePointer<json_t>?) -> String? {
        guard unsafe value?.pointee.type == JSON_STRING else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(
            start: json_string_value(value), count: json_string_length(value))
        return unsafe String(decoding: bytes, as: UTF8.self)
    }
}
