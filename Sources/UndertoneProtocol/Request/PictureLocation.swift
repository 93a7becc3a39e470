internal import CGLib
internal import Glibc

/// The three ways in which a client says which picture it means.
enum PictureLocation {
    private static let usable = ["path", "path_b64", "uri"]
    private static let reserved = ["fd", "data_b64"]

    /// The names of the fields that this is about.
    static let fieldNames = usable + reserved

    /// Returns the path that a request means, whichever way it says it.
    ///
    /// - Returns: An absolute path without NUL, at most one byte shorter than the kernel's limit.
    static func path(in fields: RequestFields) throws(RequestError) -> [UInt8] {
        for key in reserved where fields[key] != nil {
            throw .invalid("\(fields.name(key)) is reserved for a later version")
        }
        let given = usable.filter { fields[$0] != nil }
        guard let key = given.first else {
            throw .invalid("a picture is missing: give one of \(names(fields))")
        }
        guard given.count == 1 else {
            throw .invalid("only one of \(names(fields)) can be given")
        }
        let name = fields.name(key)
        guard case .string(let text)? = fields[key] else {
            throw .invalid("\(name) must be a string")
        }
        let path: [UInt8]
        switch key {
        case "path_b64":
            guard let bytes = bytes(base64: text) else {
                throw .invalid("\(name) must be base64 (RFC 4648, with padding)")
            }
            path = bytes
        case "uri": path = try self.path(uri: text, named: name)
        default: path = text
        }
        guard path.first == UInt8(ascii: "/") else { throw .invalid("\(name) must be absolute") }
        guard !path.contains(0) else { throw .invalid("\(name) must not hold a NUL byte") }
        guard path.count < Limits.pathBytes else {
            throw .invalid("\(name) must be at most \(Limits.pathBytes - 1) bytes")
        }
        return path
    }

    /// Returns the path that an object means which says nothing else.
    static func path(alone fields: RequestFields) throws(RequestError) -> [UInt8] {
        try fields.allowOnly(fieldNames)
        return try path(in: fields)
    }

    private static func names(_ fields: RequestFields) -> String {
        "\(fields.name("path")), \(fields.name("path_b64")) and \(fields.name("uri"))"
    }

    /// Decodes base64 in the only spelling that its encoder would have used.
    static func bytes(base64 text: [UInt8]) -> [UInt8]? {
        var length: gsize = 0
        guard let decoded = unsafe g_base64_decode(terminated(text), &length) else { return nil }
        defer { unsafe g_free(decoded) }
        // GLib skips what isn't base64 and needs no padding; only strict text comes back the same.
        guard let encoded = unsafe g_base64_encode(decoded, length) else { return nil }
        defer { unsafe g_free(encoded) }
        guard unsafe strlen(encoded) == text.count,
            unsafe memcmp(encoded, text, text.count) == 0
        else { return nil }
        return unsafe [UInt8](UnsafeBufferPointer(start: decoded, count: Int(length)))
    }

    /// Decodes a `file` URI (RFC 8089) of this machine.
    static func path(
        uri: [UInt8], named name: String = "uri", thisHost: () -> [UInt8] = hostName
    ) throws(RequestError) -> [UInt8] {
        // GLib takes a query for a part of the file's name.
        if uri.contains(UInt8(ascii: "?")) { throw .invalid("\(name) must not have a query") }
        if uri.contains(UInt8(ascii: "#")) { throw .invalid("\(name) must not have a fragment") }
        var host: UnsafeMutablePointer<CChar>?
        // Set also where the rest of the URI is refused.
        defer { unsafe g_free(host) }
        guard let file = unsafe g_filename_from_uri(terminated(uri), &host, nil) else {
            throw .invalid("\(name) must be like file:///home/u/a%20b.jpg")
        }
        defer { unsafe g_free(file) }
        if let host = unsafe host,
            unsafe g_ascii_strcasecmp(host, "localhost") != 0,
            unsafe g_ascii_strcasecmp(host, terminated(thisHost())) != 0
        {
            throw .invalid("\(name) must name a file of this host")
        }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: file, count: strlen(file)))
    }

    private static func hostName() -> [UInt8] {
        var name = [CChar](repeating: 0, count: 256)
        // One byte less: a name that is cut need not be terminated.
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return [] }
        return name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    }

    private static func terminated(_ text: [UInt8]) -> [CChar] {
        text.map { CChar(bitPattern: $0) } + [0]
    }
}
