import GLibSupport
import UndertoneColor
import UndertoneProtocol

/// A question that is answered again each time the files of its pictures change.
@MainContext
final class PictureWatch {
    /// What a client is told after the first answer.
    struct Event {
        /// The whole line.
        var line: [UInt8]
        /// Whether nothing more comes, because the watch cannot go on.
        var isLast = false
    }

    private let request: Service.WatchRequest
    private let service: Service
    private let client: Int
    private var watch: PathWatch?
    /// What the client was told last: by which files, and the answer.
    private var files: [FileIdentity?] = []
    private var answer: ReplyBody?

    init(_ request: Service.WatchRequest, service: Service, client: Int) {
        self.request = request
        self.service = service
        self.client = client
    }

    /// Begins, and answers the question a first time.
    ///
    /// - Returns: The whole line, and whether events are to follow. They do if the question has no
    ///   answer because of its pictures, but not if these cannot be watched or asked about.
    func begin() async -> (reply: [UInt8], begins: Bool) {
        do throws(RequestError) {
            let watch = try PathWatch(
                request.question.jobs.map(\.path), instances: service.watches)
            self.watch = watch
            files = try await place(watch)
        } catch {
            end()
            // The client is gone; nobody is answered.
            if Task.isCancelled { return ([], false) }
            return (service.failure(id: request.id, error), false)
        }
        let answer = await service.answer(request, client: client)
        if Task.isCancelled { return ([], false) }
        if let error = answer.error, error.code.preventsWatching {
            end()
            return (service.failure(id: request.id, error), false)
        }
        self.answer = answer.body
        if answer.error?.code == .fileChanged { watch?.noteChange() }
        service.countReply(answer.error)
        return (answer.body.addressed(to: request.id), true)
    }

    /// Waits for a change that makes a difference; nil when the client is gone.
    func next() async -> Event? {
        while let watch, !Task.isCancelled {
            let hasSettled = await watch.change()
            if Task.isCancelled { break }
            let files: [FileIdentity?]
            do throws(RequestError) {
                files = try await place(watch)
            } catch {
                if Task.isCancelled { break }
                return event(ReplyBody(Reply.error(id: nil, error)), error, isLast: true)
            }
            let answer = await service.answer(request, client: client)
            if Task.isCancelled { break }
            if let error = answer.error,
                !hasSettled || !watch.isSettled || error.code == .fileChanged
            {
                // Half of a file is no picture: that counts only once nobody writes any more.
                watch.noteChange()
                continue
            }
            // Two writes may get one timestamp; the answer then tells them apart.
            if files == self.files, answer.body == self.answer { continue }
            self.files = files
            self.answer = answer.body
            return event(answer.body, answer.error)
        }
        return nil
    }

    /// Ends the watch.
    func end() {
        watch?.end()
        watch = nil
    }

    private func place(_ watch: PathWatch) async throws(RequestError) -> [FileIdentity?] {
        try await watch.place(by: service.pool, client: client, priority: request.priority)
    }

    private func event(_ body: ReplyBody, _ error: RequestError?, isLast: Bool = false) -> Event {
        service.counters.events += 1
        let name: StaticString = error == nil ? "changed" : "error"
        return Event(line: body.announced(to: request.id, as: name), isLast: isLast)
    }
}
