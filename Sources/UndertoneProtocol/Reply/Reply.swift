/// The daemon's answers: each a whole line of bytes, newline included.
public enum Reply {
    /// The answer to a line above `Limits.lineBytes`.
    public static let requestTooLarge = error(
        id: .unknown,
        RequestError(.requestTooLarge, "a request must be at most \(Limits.lineBytes) bytes"))

    /// What a client gets that connects when there are too many already.
    public static let tooManyConnections = error(
        id: .unknown,
        RequestError(.busy, "there are \(Limits.connections) connections already"))

    /// Says why a request has no result.
    public static func error(id: RequestID?, _ error: RequestError) -> [UInt8] {
        line(id: id, capacity: 256) { writer in
            writer.name("error")
            writer.beginObject()
            writer.name("code")
            writer.value(error.code.rawValue)
            writer.name("message")
            writer.value(error.message)
            if let package = error.package {
                writer.name("package")
                writer.value(package)
            }
            writer.endObject()
        }
    }

    /// Writes a reply, with the identifier first if there is one.
    static func line(
        id: RequestID?, capacity: Int, _ body: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: capacity)
        writer.beginObject()
        if let id {
            writer.name("id")
            writer.value(id)
        }
        body(&writer)
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }
}

extension JSONWriter {
    /// Writes an identifier as it was sent.
    public mutating func value(_ id: RequestID) {
        switch id {
        case .integer(let number): value(number)
        case .string(let text): value(text)
        case .unknown: null()
        }
    }

    /// Appends an identifier, as it was sent, to what others have written.
    public static func append(_ id: RequestID, to output: inout [UInt8]) {
        var writer = JSONWriter(capacity: 0)
        swap(&writer.bytes, &output)
        writer.value(id)
        swap(&writer.bytes, &output)
    }
}
