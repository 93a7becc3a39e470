extension Request {
    /// Understands one line, without its newline.
    ///
    /// - Throws: Why it is no request, with the identifier to answer with.
    public init(parsing line: UnsafeRawBufferPointer) throws(RequestFailure) {
        let members: [JSONValue.Member]
        let id: RequestID?
        do {
            members = try unsafe JSONValue.parsing(line)
            id = try Request.identifier(in: members)
        } catch {
            throw RequestFailure(id: .unknown, error: error)
        }
        do {
            self = try Request(members, id: id)
        } catch {
            throw RequestFailure(id: id, error: error)
        }
    }

    /// Understands one line, without its newline.
    public init(parsing line: [UInt8]) throws(RequestFailure) {
        let result = unsafe line.withUnsafeBytes { bytes in
            do throws(RequestFailure) {
                return Result<Request, RequestFailure>.success(try unsafe Request(parsing: bytes))
            } catch {
                return .failure(error)
            }
        }
        self = try result.get()
    }

    private init(_ members: [JSONValue.Member], id: RequestID?) throws(RequestError) {
        let fields = RequestFields(members)
        let name = try fields.operation()
        let common = ["id", "op", "priority"]
        let operation: Operation
        if let question = try PictureQuestion(name, fields, besides: common) {
            operation = .picture(question)
        } else if name == "watch" {
            try fields.allowOnly(common + ["request"])
            operation = .watch(try PictureQuestion(watchedBy: fields))
        } else if name == "status" {
            try fields.allowOnly(common)
            operation = .status
        } else if name == "cache" {
            try fields.allowOnly(common + ["clear"])
            operation = .cache(clear: try fields.flag("clear") ?? false)
        } else {
            let known = Operation.names.joined(separator: ", ")
            throw RequestError(
                .unknownOperation, "no operation \(name.quoted); there are: \(known)")
        }
        let priority: Priority = try fields.choice("priority") ?? .normal
        self.init(id: id, priority: priority, operation: operation)
    }

    private static func identifier(
        in members: [JSONValue.Member]
    ) throws(RequestError) -> RequestID? {
        switch members.first(where: { $0.name == "id" })?.value {
        case nil: return nil
        case .integer(let value): return .integer(value)
        case .string(let bytes) where bytes.count <= Limits.idBytes:
            return .string(String(decoding: bytes, as: UTF8.self))
        case .string: throw .invalid("id must be at most \(Limits.idBytes) bytes")
        default: throw .invalid("id must be a string or a whole number")
        }
    }
}
