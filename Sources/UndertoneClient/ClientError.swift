public import GLibSupport

/// Why the daemon could not be asked, or an answer could not be had.
public enum ClientError: Error, Equatable, Sendable {
    /// There is no place for the daemon's socket.
    case noSocket(SocketLocation.Failure)
    /// Nothing listens there, and no daemon was to be started.
    case notRunning
    /// Nothing listens there, and no `undertoned` was found to start.
    case daemonNotFound
    /// Nothing listens there, and this is a sandbox: a daemon in it would see other files than the
    /// one that everybody asks.
    case sandboxed(String)
    /// A daemon was started, and did not answer; the text says what became of it.
    case startFailed(String)
    /// Another user's daemon listens there: it serves nobody else, and is told nothing.
    case foreign(user: UInt32)
    /// The daemon ended the connection before it had answered this many questions.
    case closed(unanswered: Int)
    /// Nothing comes back, though there should.
    case silent
    /// What the daemon sent is no reply of protocol 1.
    case malformedReply
    /// The daemon answered with an error.
    case refused(ReplyError)
    /// A file of this path could not be written; the text says why.
    case notWritten([UInt8], String)
    /// A system call failed.
    case system(SystemError)
}

extension ClientError: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        switch self {
        case .noSocket(let failure): failure.description
        case .notRunning: "no daemon is running"
        case .daemonNotFound: "no daemon is running, and there is no undertoned to start"
        case .sandboxed(let kind):
            "no daemon is running, and this is inside \(kind): start it outside"
        case .startFailed(let reason): "the daemon did not start: \(reason)"
        case .foreign(let user): "the daemon on this socket belongs to another user, number \(user)"
        case .closed(0): "the daemon closed the connection"
        case .closed(1): "the daemon closed the connection with one question unanswered"
        case .closed(let count):
            "the daemon closed the connection with \(count) questions unanswered"
        case .silent: "the daemon does not answer"
        case .malformedReply: "a malformed reply: what answers on the socket is not undertoned"
        case .refused(let error): error.message
        case .notWritten(_, let reason): reason
        case .system(let error): error.description
        }
    }
}
