import GLibSupport
import Glibc
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

    /// A question that the cache could not answer.
    struct Question: Sendable {
        var id: RequestID?
        var priority: Request.Priority
        var question: PictureQuestion
        /// One for each of the question's jobs.
        var pictures: [Picture]
    }

    /// A picture of a question, as far as the cache knows it.
    enum Picture: Sendable {
        case known(CachedSummary)
        case crasher
        /// With the file's identity, if that could be told.
        case unknown(FileIdentity?)
    }

    private let configuration: Configuration
    private var cache: SummaryCache
    /// What lines mean that came before: who asks about a folder again asks the same lines.
    private var knownLines = BoundedCache<LineKey, Request>(limit: Limits.knownLineBytes)
    let pool: DecoderPool
    /// The inotify instances of those who watch.
    let watches = WatchInstances()
    private let start = MainContext.now
    /// What connections and this object count; the rest of the report is collected on demand.
    var counters = StatusReport.Counters()
    private var errors: [ErrorCode: Int] = [:]
    /// Whether new lines are refused.
    var isShuttingDown = false

    init(_ configuration: Configuration) {
        self.configuration = configuration
        cache = SummaryCache(bytes: configuration.memoryCacheBytes)
        pool = DecoderPool(
            DecoderSetup(
                program: configuration.decoder, sandbox: configuration.sandbox,
                deadlineSeconds: configuration.deadlineSeconds), slots: configuration.jobs)
        pool.onSummary = { [weak self] job, summary, identity in
            self?.cache.insert(summary, for: DecodeSchedule.Key(job, identity: identity))
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

    private func status(id: RequestID?) -> [UInt8] {
        counters.replies += 1
        return Reply.status(id: id, report())
    }

    /// Has the pictures decoded, side by side, and answers.
    private func answer(_ waiting: Question, client: Int) async -> [UInt8] {
        do throws(RequestError) {
            let reply = try await reply(to: waiting, client: client)
            if Task.isCancelled { return [] }
            countReply(nil)
            return reply.addressed(to: waiting.id)
        } catch {
            // The client is gone; nobody is answered.
            return Task.isCancelled ? [] : failure(id: waiting.id, error)
        }
    }

    /// The answer to a question about pictures, which are decoded side by side if need be.
    func reply(to waiting: Question, client: Int) async throws(RequestError) -> ReplyBody {
        let question = waiting.question
        var summaries: [CachedSummary] = []
        for (index, outcome) in await outcomes(of: waiting, client: client).enumerated() {
            switch outcome {
            case .success(let summary): summaries.append(summary)
            case .failure(let error): throw question.error(error, ofPicture: index)
            }
        }
        return try cache.reply(to: question, from: summaries)
    }

    /// What comes of each of a question's pictures.
    private func outcomes(of waiting: Question, client: Int) async -> [DecoderPool.Outcome] {
        let pictures = waiting.pictures
        if pictures.count == 1 { return [await outcome(of: waiting, 0, client: client)] }
        return await withTaskGroup(of: (Int, DecoderPool.Outcome).self) { group in
            for index in pictures.indices {
                // Isolated by its type, so that the task starts on the main context.
                let operation: @Sendable @MainContext () async -> (Int, DecoderPool.Outcome) = {
                    (index, await self.outcome(of: waiting, index, client: client))
                }
                group.addTask(operation: operation)
            }
            var outcomes = pictures.map { _ in DecoderPool.Outcome.failure(.cancelled) }
            for await (index, outcome) in group { outcomes[index] = outcome }
            return outcomes
        }
    }

    private func outcome(
        of waiting: Question, _ index: Int, client: Int
    ) async -> DecoderPool.Outcome {
        switch waiting.pictures[index] {
        case .known(let summary): return .success(summary)
        case .crasher: return .failure(.crashedBefore)
        case .unknown(let identity):
            return await pool.summary(
                of: waiting.question.jobs[index], identity: identity, client: client,
                priority: waiting.priority)
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

    private func answer(
        _ question: PictureQuestion, _ request: Request
    ) throws(RequestFailure) -> Answer {
        if question.jobs.count == 1, case .known(let summary) = lookUp(question.jobs[0]) {
            return try answer(question, request, from: [summary])
        }
        let pictures = question.jobs.map { lookUp($0) }
        var summaries: [CachedSummary] = []
        for (index, picture) in pictures.enumerated() {
            switch picture {
            case .known(let summary): summaries.append(summary)
            case .crasher:
                let error = question.error(.crashedBefore, ofPicture: index)
                throw RequestFailure(id: request.id, error: error)
            case .unknown: break
            }
        }
        if summaries.count < pictures.count {
            counters.cacheMisses += 1
            let waiting = Question(
                id: request.id, priority: request.priority, question: question, pictures: pictures)
            let work: Work = { await self.answer(waiting, client: $0) }
            return .later(work)
        }
        return try answer(question, request, from: summaries)
    }

    private func answer(
        _ question: PictureQuestion, _ request: Request, from summaries: [CachedSummary]
    ) throws(RequestFailure) -> Answer {
        if !summaries.isEmpty { counters.cacheHits += 1 }
        do throws(RequestError) {
            let reply = try cache.reply(to: question, from: summaries)
            counters.replies += 1
            return .known(reply, request.id)
        } catch {
            throw RequestFailure(id: request.id, error: error)
        }
    }

    func lookUp(_ job: DecodeJob) -> Picture {
        guard let identity = PathIdentity.lookUp(job.path) else { return .unknown(nil) }
        let key = DecodeSchedule.Key(job, identity: identity)
        if let summary = cache.summary(for: key) { return .known(summary) }
        return cache.isCrasher(identity) ? .crasher : .unknown(identity)
    }

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

    private func report() -> StatusReport {
        var report = StatusReport()
        report.process = getpid()
        report.decoder = pool.capabilities
        report.deadlineSeconds = configuration.deadlineSeconds
        report.memoryCacheBytes = configuration.memoryCacheBytes
        report.errors = errors
        report.counters = counters
        report.counters.uptimeSeconds = Int(MainContext.now - start)
        report.counters.cacheEntries = cache.count
        report.counters.cacheBytes = cache.bytes
        report.counters.decodes = pool.counters.decodes
        report.counters.sharedDecodes = pool.counters.shared
        report.counters.decoderSlots = pool.schedule.slots
        report.counters.decodersRunning = pool.schedule.running
        report.counters.decodersQueued = pool.schedule.queued
        report.counters.decodersStuck = pool.schedule.lost
        report.counters.timeouts = pool.counters.timeouts
        report.counters.crashes = pool.counters.crashes
        report.counters.zygoteRestarts = pool.zygoteRestarts
        report.counters.connectionsWatching = watches.count
        return report
    }
}
