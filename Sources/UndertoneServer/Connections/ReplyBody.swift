import UndertoneProtocol

/// A reply that is not addressed yet: the same for every question that asks the same.
struct ReplyBody: Equatable {
    /// The whole line as it is for a request without `id`.
    let line: [UInt8]

    /// Takes a reply to nobody: one object, not empty, and its newline.
    init(_ line: [UInt8]) {
        self.line = line
    }

    /// The whole line for a request with this identifier.
    func addressed(to id: RequestID?) -> [UInt8] {
        guard let id else { return line }
        var writer = JSONWriter(capacity: 0)
        switch id {
        case .integer(let value): writer.value(value)
        case .string(let text): writer.value(text)
        case .unknown: writer.null()
        }
        var result: [UInt8] = []
        result.reserveCapacity(line.count + writer.bytes.count + 6)
        result.append(contentsOf: #"{"id":"#.utf8)
        result.append(contentsOf: writer.bytes)
        result.append(UInt8(ascii: ","))
        result.append(contentsOf: line.dropFirst())
        return result
    }
}
