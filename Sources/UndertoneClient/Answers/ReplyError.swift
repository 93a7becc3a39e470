/// The daemon's error for one question.
///
/// The code is text: a newer daemon may have codes that this client does not know.
public struct ReplyError: Error, Equatable, Sendable {
    /// The stable code, for programs: one of `ErrorCode`, or a newer one.
    public var code: String
    /// What happened, for people.
    public var message: String
    /// The Debian package that would help, where one is known.
    public var package: String?

    /// Creates an error.
    public init(code: String, message: String, package: String? = nil) {
        self.code = code
        self.message = message
        self.package = package
    }

    /// Takes the `error` of a reply.
    init(_ document: JSONDocument) throws(ClientError) {
        guard let code = document["code"]?.text else { throw .malformedReply }
        self.init(
            code: code, message: document["message"]?.text ?? code,
            package: document["package"]?.text)
    }
}

extension JSONDocument {
    /// Takes a reply's result out of one line.
    ///
    /// - Throws: `refused` where the reply holds an error instead.
    static func result(of line: [UInt8]) throws(ClientError) -> JSONDocument {
        let reply = try JSONDocument(parsing: line)
        if let error = reply["error"] { throw .refused(try ReplyError(error)) }
        guard let result = reply["result"] else { throw .malformedReply }
        return result
    }
}
