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
        /// Its reply when a picture has been decoded.
        case later(Question)
    }

    /// A question that the cache could not answer.
    struct Question: Sendable {
        fileprivate var id: RequestID?
        fileprivate var priority: Request.Priority
        fileprivate var request: ColorRequest
        fileprivate var identity: FileIdentity?
    }

    private let configuration: Configuration
    private var cache: SummaryCache
    /// What lines mean that came before: who asks about a folder again asks the same lines.
    private var knownLines = BoundedCache<LineKey, Request>(limit: Limits.knownLineBytes)
    private let pool: DecoderPool
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
            program: configuration.decoder, sandbox: configuration.sandbox,
            slots: configuration.jobs,
            deadline: Double(configuration.deadlineSeconds))
        pool.onSummary = { [weak self] job, summary, identity in
            self?.cache.insert(summary, for: DecodeSchedule.Key(job, identity: identity))
        }
        pool.onCrasher = { [weak self] in self?.cache.insertCrasher($0) }
    }

    /// Starts the decoder.
    func startDecoder() { pool.start() }

    /// Starts the decoder again, with the image loaders as they are now.
    func reloadDecoder() { pool.reload() }

    /// Ends the decoder.
    func stop() { pool.stop() }

    /// Answers a line, at once if that takes no picture.
    func answer(_ line: LineBuffer.Line) -> Answer {
        counters.requests += 1
        if isShuttingDown { return refuse(line) }
        guard case .text(let text) = line else {
            count(.requestTooLarge)
            return .now(Reply.requestTooLarge)
        }
        do throws(RequestFailure) {
            let request = try parse(text)
            switch request.operation {
            case .status:
                counters.replies += 1
                return .now(Reply.status(id: request.id, report()))
            case .color(let color): return answer(color, request)
            }
        } catch {
            return .now(failure(id: error.id, error.error))
        }
    }

    /// Has the picture decoded, and answers.
    func answer(_ question: Question, client: Int) async -> [UInt8] {
        let job = question.request.job
        let outcome = await pool.summary(
            of: job, identity: question.identity, client: client, priority: question.priority)
        // The client is gone; nobody is answered.
        if Task.isCancelled { return [] }
        switch outcome {
        case .success(let summary):
            counters.replies += 1
            return cache.reply(to: question.request, from: summary)
                .addressed(to: question.id)
        case .failure(let error):
            return failure(id: question.id, error)
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

    private func answer(_ color: ColorRequest, _ request: Request) -> Answer {
        let identity = PathIdentity.lookUp(color.job.path)
        if let identity {
            let key = DecodeSchedule.Key(color.job, identity: identity)
            if let summary = cache.summary(for: key) {
                counters.cacheHits += 1
                counters.replies += 1
                return .known(cache.reply(to: color, from: summary), request.id)
            }
            if cache.isCrasher(identity) { return .now(failure(id: request.id, .crashedBefore)) }
        }
        counters.cacheMisses += 1
        return .later(
            Question(
                id: request.id, priority: request.priority, request: color, identity: identity))
    }

    /// Refuses a line, by its identifier if it has one.
    private func refuse(_ line: LineBuffer.Line) -> Answer {
        var id: RequestID? = .unknown
        if case .text(let text) = line {
            do throws(RequestFailure) {
                id = try Request(parsing: text).id
            } catch {
                id = error.id
            }
        }
        return .now(failure(id: id, .shuttingDown))
    }

    private func failure(id: RequestID?, _ error: RequestError) -> [UInt8] {
        count(error.code)
        return Reply.error(id: id, error)
    }

    private func count(_ code: ErrorCode) {
        counters.replies += 1
        counters.errors += 1
        errors[code, default: 0] += 1
    }

    private func report() -> StatusReport {
        var report = StatusReport()
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
        return report
    }
}
