import GLibSupport
import UndertoneProtocol

/// The summaries that outlive the daemon: asked for, and never waited for longer than a disk may
/// take.
///
/// All that touches the disk happens on a thread of its own, which starts with the first question.
@MainContext
final class DiskCache {
    /// nil where nothing is kept.
    let store: SummaryStore?
    /// What the disk may take for the next answer.
    let patienceSeconds: Double
    private var thread: WorkThread?
    /// Those who wait for a summary, by the number of their question.
    private var waiting: [Int: CheckedContinuation<StoredSummary?, Never>] = [:]
    private var nextQuestion = 0
    private lazy var patience = MainTimer { [weak self] in self?.stall() }
    private var isStalled = false
    /// Why the store was not of use the last time.
    private var fault: StoreFault?
    /// When a store that was of no use is tried again.
    private var retryTime = 0.0
    private var lastUse = 0.0
    private lazy var idle = MainTimer { [weak self] in self?.rest() }

    /// Summaries that are not on their way to the disk yet.
    var queue = StoreQueue()
    var isWriting = false
    lazy var writing = MainTimer { [weak self] in self?.write() }
    /// Summaries that were found, and those that were wanted and not found in time.
    private(set) var hits = 0, misses = 0

    /// Describes a cache; nothing is touched before somebody asks.
    ///
    /// - Parameter patienceSeconds: What the disk may take for the next answer.
    init(_ store: SummaryStore?, patienceSeconds: Double = Limits.storePatienceSeconds) {
        self.store = store
        self.patienceSeconds = patienceSeconds
    }

    /// Describes the cache that a daemon is to have.
    convenience init(_ configuration: Configuration) {
        guard configuration.diskCacheBytes > 0, let folder = configuration.cacheFolder else {
            self.init(nil)
            return
        }
        self.init(SummaryStore(in: folder, limit: configuration.diskCacheBytes))
    }

    /// Whether the disk is asked, and why it is not.
    var state: CacheReport.DiskState {
        if store == nil { return .off }
        if isStalled { return .stalled }
        return switch fault?.kind {
        case nil, .damaged: .ready
        case .busy: .busy
        case .full: .full
        case .unusable: .unusable
        }
    }

    /// Whether it is of use to ask now.
    var isAskable: Bool {
        if store == nil || isStalled { return false }
        return switch fault?.kind {
        case nil, .damaged, .full: true
        case .busy, .unusable: MainContext.now >= retryTime
        }
    }

    /// Finds the summary of a file that is still what it was, unless that takes too long.
    func summary(for key: DecodeSchedule.Key) async -> StoredSummary? {
        guard store != nil, let key = StoreKey(key) else { return nil }
        let found = isAskable ? await ask(for: key) : nil
        if found == nil { misses += 1 } else { hits += 1 }
        return found
    }

    private func ask(for key: StoreKey) async -> StoredSummary? {
        await withCheckedContinuation { continuation in
            let question = nextQuestion
            nextQuestion += 1
            if waiting.isEmpty { patience.schedule(after: patienceSeconds) }
            waiting[question] = continuation
            let job: Job<StoredSummary?> = { store throws(StoreFault) in
                try store.summary(for: key)
            }
            run(job) { self.answer(question, $0) }
        }
    }

    private func answer(_ question: Int, _ result: Result<StoredSummary?, StoreFault>) {
        guard let continuation = waiting.removeValue(forKey: question) else { return }
        // A disk that is at work is not one that hangs, however many have asked.
        if waiting.isEmpty {
            patience.unschedule()
        } else {
            patience.schedule(after: patienceSeconds)
        }
        continuation.resume(returning: (try? result.get()) ?? nil)
    }

    /// Goes on without the disk until it answers.
    func stall() {
        if isStalled { return }
        isStalled = true
        Log.write(.warning, "the cache on disk does not answer: going on without it")
        let all = waiting
        waiting = [:]
        for question in all.keys.sorted() { all[question]?.resume(returning: nil) }
    }

    /// What the thread does with the store.
    typealias Job<Success> = @Sendable (SummaryStore) throws(StoreFault) -> Success

    /// Has the thread do something with the store, and tells here what came of it.
    ///
    /// - Parameter isUse: Whether it uses the file, rather than let it go.
    func run<Success: Sendable>(
        isUse: Bool = true, _ job: @escaping Job<Success>,
        then: @escaping @MainContext (Result<Success, StoreFault>) -> Void
    ) {
        if thread == nil { thread = WorkThread(name: "store") }
        guard let store, let thread else { return then(.failure(.noThread)) }
        if isUse {
            lastUse = MainContext.now
            if !idle.isScheduled { idle.schedule(after: Limits.storeIdleSeconds) }
        }
        thread.run {
            let result: Result<Success, StoreFault>
            do throws(StoreFault) {
                result = .success(try job(store))
            } catch {
                result = .failure(error)
            }
            MainContext.start {
                if isUse { self.note(result) }
                then(result)
            }
        }
    }

    private func note<Success>(_ result: Result<Success, StoreFault>) {
        if isStalled { Log.write(.info, "the cache on disk answers again") }
        isStalled = false
        switch result {
        case .success:
            // Only what writes tells that a disk is not full any more.
            if fault?.kind != .full { fault = nil }
        case .failure(let new):
            if new != fault { Log.write(new.kind == .busy ? .debug : .warning, new.line) }
            fault = new
            let pause = new.kind == .busy ? Limits.storeBusySeconds : Limits.storeRetrySeconds
            retryTime = MainContext.now + pause
        }
    }

    /// Notes that something could be written.
    func noteRoom() {
        if fault?.kind == .full { fault = nil }
    }

    /// Lets the file go once nobody has asked for a while: to another daemon, and to whoever
    /// unmounts its disk. What is above a limit that was lowered is given up before.
    private func rest() {
        let left = lastUse + Limits.storeIdleSeconds - MainContext.now
        if left > 0 || isStalled { return idle.schedule(after: max(left, 1)) }
        let used = lastUse
        let job: Job<Bool> = { store throws(StoreFault) in
            let isDone = (try? store.trim()) ?? true
            if isDone { store.close() }
            return isDone
        }
        run(isUse: false, job) { result in
            if case .success(false) = result, self.lastUse == used { self.rest() }
        }
    }
}

extension StoreFault {
    static let noThread = StoreFault(kind: .unusable, message: "there is no room for a thread")

    /// What the log says.
    fileprivate var line: String {
        switch kind {
        case .busy: "another daemon has the cache on disk"
        case .full: "the cache on disk cannot grow: \(message)"
        case .damaged: "the cache on disk is made anew: \(message)"
        case .unusable: "the cache on disk cannot be used: \(message)"
        }
    }
}
