internal import CJansson
internal import Glibc
internal import UndertoneProtocol

extension JSONDocument {
    /// Parses a text that holds exactly one value.
    init(parsing text: [UInt8]) throws(ClientError) {
        guard let root = unsafe JSONDocument.parse(text) else { throw .malformedReply }
        defer { unsafe json_decref(root) }
        unsafe self.init(root)
    }

    /// Takes a reply's result out of one line as text, in one line.
    ///
    /// - Throws: `refused` where the reply holds an error instead.
    static func resultText(of line: [UInt8]) throws(ClientError) -> [UInt8] {
        _ = try result(of: line)
        let reply = unsafe parse(line)
        defer { unsafe json_decref(reply) }
        let flags = Int(JSON_COMPACT | JSON_ENCODE_ANY)
        guard let text = unsafe json_dumps(json_object_get(reply, "result"), flags) else {
            throw .malformedReply
        }
        defer { unsafe free(text) }
        return unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    private static func parse(_ text: [UInt8]) -> UnsafeMutablePointer<json_t>? {
        unsafe text.withUnsafeBytes { bytes in
            unsafe json_loadb(
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count,
                Int(JSON_REJECT_DUPLICATES), nil)
        }
    }

    private init(_ value: UnsafeMutablePointer<json_t>) {
        switch unsafe value.pointee.type {
        case JSON_OBJECT: self = unsafe .object(JSONDocument.members(of: value))
        case JSON_ARRAY:
            self = unsafe .array(
                (0..<json_array_size(value)).compactMap { index in
                    unsafe json_array_get(value, index).map { unsafe JSONDocument($0) }
                })
        case JSON_STRING:
            let bytes = unsafe UnsafeRawBufferPointer(
                start: json_string_value(value), count: json_string_length(value))
            self = unsafe .string(String(decoding: bytes, as: UTF8.self))
        case JSON_INTEGER, JSON_REAL: self = unsafe .number(json_number_value(value))
        case JSON_TRUE: self = .boolean(true)
        case JSON_FALSE: self = .boolean(false)
        default: self = .null
        }
    }

    private static func members(of object: UnsafeMutablePointer<json_t>) -> [Member] {
        unsafe object.members { name, value in
            Member(name: name, value: unsafe JSONDocument(value))
        }
    }
}
