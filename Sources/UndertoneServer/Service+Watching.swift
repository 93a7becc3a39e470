import GLibSupport
import UndertoneColor
import UndertoneProtocol

/// Requests to watch.
extension Service {
    /// A question that is to be answered again each time its pictures change.
    struct WatchRequest: Sendable {
        var id: RequestID?
        var priority: Request.Priority
        var question: PictureQuestion
    }

    /// Answers the question as it is now.
    ///
    /// - Returns: The reply to nobody, and why it has no result.
    func answer(
        _ request: WatchRequest, client: Int
    ) async -> (body: ReplyBody, error: RequestError?) {
        // It is asked because something has changed, and no line was read for that.
        lookAgain()
        let waiting = Question(
            id: nil, priority: request.priority, question: request.question,
            pictures: request.question.jobs.map(lookUp))
        do throws(RequestError) {
            return (try await reply(to: waiting, client: client), nil)
        } catch {
            return (ReplyBody(Reply.error(id: nil, error)), error)
        }
    }

    /// The last event of a watch that the daemon's end ends.
    func shutdownEvent(of request: WatchRequest) -> [UInt8] {
        counters.events += 1
        return ReplyBody(Reply.error(id: nil, .shuttingDown))
            .announced(to: request.id, as: "error")
    }
}

extension RequestError {
    static let watching = RequestError(
        .invalidRequest, "this connection watches and answers nothing else: open another one")
}
