import GLibSupport
import UndertoneColor
import UndertoneProtocol

/// Answers lines, whoever sent them: the cache, the decoders and the counters behind every
/// connection.
@MainContext
final class Service {
    /// What a line gets.
    enum Answer {
        /// Its reply.
        case now([UInt8])
        /// Its reply, without the identifier of its request.
        case known(ReplyBody, RequestID?)
        /// Its reply when a picture has been decoded, say.
        case later(Work)
        /// Its reply when its pictures are watched, and events after it.
        case watch(WatchRequest)
    }

    /// What takes its time: the whole line for a client, by its number.
    typealias Work = @Sendable @MainContext (Int) async -> [UInt8]

    let configuration: Configuration
    var cache: SummaryCache
    /// The cache behind it.
    let disk: DiskCache
    /// What lines mean that came before: who asks about a folder again asks the same lines.
    private var knownLines = BoundedCache<LineKey, Request>(limit: Limits.knownLineBytes)
    /// Which files paths lead to, as far as that was asked since the last line was read.
    private var checks = PathChecks()
    /// Connections that are answered once all that are ready were read from.
    let round = AnswerRound()
    let pool: DecoderPool
    /// The inotify instances of those who watch.
    let watches = WatchInstances()
    let start = MainContext.now
    /// What connections and this object count; the rest of the report is collected on demand.
    var counters = StatusReport.Counters()
    private(set) var errors: [ErrorCode: Int] = [:]
    /// Whether new lines are refused.
    var isShuttingDown = false

    init(_ configuration: Configuration) {
        self.configuration = configuration
        cache = SummaryCache(bytes: configuration.memoryCacheBytes)
        disk = DiskCache(configuration)
        pool = DecoderPool(
            DecoderSetup(
                program: configuration.decoder, sandbox: configuration.sandbox,
                deadlineSeconds: configuration.deadlineSeconds), slots: configuration.jobs)
        pool.onSummary = { [weak self] job, cached, summary in
            let key = DecodeSchedule.Key(job, identity: summary.identityAfter)
            self?.cache.insert(cached, for: key)
            // How a drawing's text looks depends on the fonts that there are, which no key names.
            guard summary.image.format != .svg else { return }
            self?.disk.insert(cached.packed, for: key)
        }
        pool.onCrasher = { [weak self] in self?.cache.insertCrasher($0) }
    }

    /// Starts the decoder.
    func startDecoder() { pool.start() }

    /// Starts the decoder again, with the image loaders as they are now.
    func reloadDecoder() { pool.reload() }

    /// Answers what waits for a decoder that the daemon ends.
    func refuseRest() { pool.refuseAll() }

    /// Ends the decoder.
    func stop() { pool.stop() }

    /// Answers a line, at once if that takes no picture and the decoder has started.
    ///
    /// - Parameter isWatching: Whether its connection is dedicated to a watch.
    func answer(_ line: LineBuffer.Line, isWatching: Bool = false) -> Answer {
        counters.requests += 1
        if isShuttingDown { return refuse(line, .shuttingDown) }
        if isWatching { return refuse(line, .watching) }
        guard case .text(let text) = line else {
            counters.replies += 1
            countError(.requestTooLarge)
            return .now(Reply.requestTooLarge)
        }
        do throws(RequestFailure) {
            let request = try parse(text)
            switch request.operation {
            case .status:
                if pool.startGate.isOpen { return .now(status(id: request.id)) }
                let id = request.id
                let work: Work = { _ in
                    await self.pool.startGate.wait()
                    return Task.isCancelled ? [] : self.status(id: id)
                }
                return .later(work)
            case .cache(let isCleared): return answerAboutCache(request.id, isCleared: isCleared)
            case .picture(let question): return try answer(question, request)
            case .watch(let question):
                return .watch(
                    WatchRequest(
                        id: request.id, priority: request.priority, question: question))
            }
        } catch {
            return .now(failure(id: error.id, error.error))
        }
    }

    private func parse(_ line: [UInt8]) throws(RequestFailure) -> Request {
        let key = LineKey(bytes: line)
        if let request = knownLines.value(for: key) { return request }
        let request = try Request(parsing: line)
        // The line, what it says, and the places of both.
        knownLines.insert(request, for: key, cost: 2 * line.count + 512)
        return request
    }

    /// Tells which file a path leads to, not before the last line was read.
    func identity(of path: [UInt8]) -> FileIdentity? { checks.identity(of: path) }

    /// Has files looked at again: lines were read that may be about a change.
    func lookAgain() { checks.forget() }

    /// Refuses a line, by its identifier if it has one.
    private func refuse(_ line: LineBuffer.Line, _ refusal: RequestError) -> Answer {
        var id: RequestID? = .unknown
        if case .text(let text) = line {
            do throws(RequestFailure) {
                id = try Request(parsing: text).id
            } catch {
                id = error.id
            }
        }
        return .now(failure(id: id, refusal))
    }

    /// Counts a reply that says why there is no result, and returns its line.
    func failure(id: RequestID?, _ error: RequestError) -> [UInt8] {
        countReply(error)
        return Reply.error(id: id, error)
    }

    /// Counts a reply, and why it has no result if it has none.
    func countReply(_ error: RequestError?) {
        counters.replies += 1
        if let error { countError(error.code) }
    }

    private func countError(_ code: ErrorCode) {
        counters.errors += 1
        errors[code, default: 0] += 1
    }
}
