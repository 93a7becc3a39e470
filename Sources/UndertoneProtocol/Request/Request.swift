/// One question, understood and checked.
public struct Request: Hashable, Sendable {
    /// What the reply is to be called, if anything; never `unknown`.
    public var id: RequestID?
    /// Whether the answer is wanted now.
    public var priority: Priority
    /// What is asked.
    public var operation: Operation

    /// Creates a request of its parts.
    public init(id: RequestID? = nil, priority: Priority = .normal, operation: Operation) {
        self.id = id
        self.priority = priority
        self.operation = operation
    }

    /// How soon an answer is wanted.
    public enum Priority: String, CaseIterable, Sendable {
        /// Somebody waits for it.
        case normal
        /// It is asked ahead of need, and must delay nobody.
        case idle
    }

    /// What can be asked, with all that the answer depends on.
    public enum Operation: Hashable, Sendable {
        /// Something about pictures.
        case picture(PictureQuestion)
        /// The same, and again each time the pictures change.
        case watch(PictureQuestion)
        /// The state of the daemon.
        case status
        /// What the daemon keeps, or, with `clear`, that it forget it first.
        case cache(clear: Bool)

        /// The names of all operations, as `op` and as `status` lists them.
        public static let names = PictureQuestion.operationNames + ["watch", "status", "cache"]
    }
}

/// Why a line is not a request, and to whom to say so.
public struct RequestFailure: Error, Equatable, Sendable {
    /// The identifier to answer with: the line's own where it could be told, `unknown` where it
    /// could not, `nil` where the line had none.
    public var id: RequestID?
    /// What is wrong.
    public var error: RequestError

    /// Creates a failure.
    public init(id: RequestID?, error: RequestError) {
        self.id = id
        self.error = error
    }
}
