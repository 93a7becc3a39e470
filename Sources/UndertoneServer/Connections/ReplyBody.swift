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
        var result: [UInt8] = []
        result.reserveCapacity(line.count + Limits.idBytes)
        append(to: &result, id: id)
        return result
    }

    /// Appends the whole line for a request with this identifier.
    func append(to output: inout [UInt8], id: RequestID?) {
        // At least doubled, or a buffer that many replies go to would be copied for each.
        let needed = output.count + line.count + Limits.idBytes
        if output.capacity < needed { output.reserveCapacity(max(needed, 2 * output.capacity)) }
        output.append(UInt8(ascii: "{"))
        appendMember(id, to: &output)
        unsafe line.withUnsafeBytes { bytes in
            unsafe output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[1...]))
        }
    }

    /// The whole line of an event in the watch of a request with this identifier.
    func announced(to id: RequestID?, as event: StaticString) -> [UInt8] {
        var result: [UInt8] = [UInt8(ascii: "{")]
        appendMember(id, to: &result)
        result += Array("\"event\":\"\(event)\",".utf8)
        return result + line[1...]
    }

    private func appendMember(_ id: RequestID?, to output: inout [UInt8]) {
        guard let id else { return }
        output.append(contentsOf: Self.idName)
        JSONWriter.append(id, to: &output)
        output.append(UInt8(ascii: ","))
    }

    private static let idName = Array(#""id":"#.utf8)
}
