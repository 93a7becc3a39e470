extension PictureQuestion {
    /// Understands what a `watch` request is to answer again and again.
    init(watchedBy fields: RequestFields) throws(RequestError) {
        guard let nested = try fields.object("request") else {
            throw .invalid("request is missing")
        }
        let name = try nested.operation()
        guard let question = try PictureQuestion(name, nested, besides: ["op"]) else {
            let known = Self.operationNames.joined(separator: ", ")
            throw .invalid("request.op must be one of: \(known)")
        }
        guard !question.jobs.isEmpty else {
            throw .invalid("request must be about a picture: there is nothing to watch")
        }
        self = question
    }
}

extension RequestFields {
    /// Returns the operation's name.
    func operation() throws(RequestError) -> String {
        switch self["op"] {
        case nil: return "color"
        case .string(let bytes): return String(decoding: bytes, as: UTF8.self)
        default: throw .invalid("\(name("op")) must be a string")
        }
    }
}
