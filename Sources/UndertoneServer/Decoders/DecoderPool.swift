import CGLib
import GLibSupport
import Glibc
import UndertoneColor
import UndertoneProtocol

/// Has pictures decoded and watches placed: at most so many at once, each by a child of its own.
@MainContext
final class DecoderPool {
    /// What a child was asked for.
    enum Product: Sendable {
        /// A picture's summary.
        case summary(CachedSummary)
        /// Which files the paths led to, and what to look out for.
        case watches([FileIdentity?], [WatchPlace])
    }

    /// What comes of a picture.
    typealias Outcome = Result<CachedSummary, RequestError>
    /// What comes of a child.
    typealias Completion = Result<Product, RequestError>

    /// What work tells those who wait for it.
    struct Answer: Sendable {
        var outcome: Completion
        /// Which path was decoded.
        var path: [UInt8]
        /// Whether it is no answer for those who named the same file by another path.
        var isOfItsPathOnly = false

        /// What came of a picture.
        var summary: Outcome {
            outcome.flatMap { product in
                guard case .summary(let summary) = product else {
                    return .failure(.internalError)
                }
                return .success(summary)
            }
        }
    }

    /// What has happened so far.
    struct Counters {
        var decodes = 0
        var shared = 0
        var timeouts = 0
        var crashes = 0
    }

    var schedule: DecodeSchedule
    var counters = Counters()
    var decodes: [DecodeSchedule.Work: Decode] = [:]
    var continuations: [DecodeSchedule.Waiter: CheckedContinuation<Answer, Never>] = [:]
    let raster: ZygoteSupervisor
    let wide: ZygoteSupervisor
    /// How much of the started work is the wide zygote's.
    var wideWork = 0
    private var isStartingWork = false
    /// Whether nothing is decoded any more.
    private var isRefusing = false
    /// Open once the raster zygote is ready, or once waiting for it is in vain.
    let startGate = Gate()
    private let startTimer: MainTimer
    /// Until other loaders are installed whole, as far as can be told.
    private(set) lazy var reloadTimer = MainTimer { [weak self] in
        Log.write(.info, "other image loaders are installed: starting the decoder again")
        self?.reload()
    }
    /// Zygotes that finish their work and get no more.
    var retiring: [Zygote] = []
    let setup: DecoderSetup
    let wideIdle: MainTimer
    /// Told of each summary before those who wait for it.
    var onSummary: @MainContext (DecodeJob, CachedSummary, FileIdentity) -> Void = { _, _, _ in }
    /// Told of each picture that crashed its child.
    var onCrasher: @MainContext (FileIdentity) -> Void = { _ in }

    init(_ setup: DecoderSetup, slots: Int) {
        schedule = DecodeSchedule(slots: slots)
        self.setup = setup
        raster = ZygoteSupervisor(setup, profile: .raster)
        let wide = ZygoteSupervisor(setup, profile: .wide)
        self.wide = wide
        wideIdle = MainTimer { wide.dismiss()?.retire() }
        let startGate = startGate
        startTimer = MainTimer { startGate.open() }
        for supervisor in [raster, wide] {
            supervisor.onEvent = { [weak self] in self?.receive($0, $1, $2) }
            supervisor.onEnd = { [weak self] in self?.noteEnd(of: $0) }
            supervisor.onChange = { [weak self] in self?.noteChange() }
        }
    }

    /// Starts the raster zygote.
    func start() {
        startTimer.schedule(after: Double(Limits.startPatienceSeconds))
        raster.start()
    }

    /// Replaces the zygotes, so that they load their modules again; running children finish.
    func reload() {
        reloadTimer.unschedule()
        let old = [raster.replace(), wide.dismiss()].compactMap(\.self)
        retiring += old
        for zygote in old { retireIfIdle(zygote) }
    }

    /// Answers all who wait that the daemon ends, and decodes nothing more.
    func refuseAll() {
        isRefusing = true
        startGate.open()
        let all = decodes.values.sorted { $0.work < $1.work }
        // Before a slot becomes free, so that nothing more begins.
        for decode in all { settle(decode, .failure(.shuttingDown)) }
        for decode in all {
            if schedule.isStarted(decode.work) {
                giveUp(decode)
            } else {
                decodes[decode.work] = nil
            }
        }
    }

    /// Ends the zygotes and with them every child.
    func stop() {
        for zygote in [raster.dismiss(), wide.dismiss()] + retiring { zygote?.retire() }
    }

    /// What the zygotes can do and what confines their children; nil while none was ready.
    var capabilities: DecoderCapabilities? {
        guard var result = raster.capabilities else { return nil }
        guard let more = wide.capabilities else { return result }
        result.formats.formUnion(more.formats)
        // One that must be confined and is not decodes nothing, so nothing runs unconfined.
        if setup.sandbox == .required, !more.seccomp { return result }
        result.weakenSandbox(to: more)
        return result
    }

    /// Starts of zygotes that an unexpected end made necessary.
    var zygoteRestarts: Int { raster.restarts + wide.restarts }

    /// Has a picture decoded; the work is given up when the last task that waits for it is
    /// cancelled.
    func summary(
        of job: DecodeJob, identity: FileIdentity?, client: Int, priority: Request.Priority
    ) async -> Outcome {
        let answer = await answer(
            to: .decode(job, identity), DecodeSchedule.Key(job, identity: identity), client,
            priority)
        if answer.path == job.path || !answer.isOfItsPathOnly { return answer.summary }
        // Another path's file was replaced while it was decoded; this one's must be looked at, and
        // now it is shared by its path alone.
        return await self.answer(
            to: .decode(job, nil), DecodeSchedule.Key(job, identity: nil), client, priority
        ).summary
    }

    /// Has watches placed in an inotify instance; the work is given up when the task is cancelled.
    ///
    /// - Returns: Which files the paths led to, and what to look out for.
    func watch(
        _ job: WatchJob, in instance: SharedDescriptor, client: Int, priority: Request.Priority
    ) async -> Result<([FileIdentity?], [WatchPlace]), RequestError> {
        // Nobody else's instance is the same, so the work is never shared.
        let answer = await answer(to: .watch(job, instance), nil, client, priority)
        return answer.outcome.flatMap { product in
            guard case .watches(let files, let places) = product else {
                return .failure(.internalError)
            }
            return .success((files, places))
        }
    }

    private func answer(
        to task: Decode.Task, _ key: DecodeSchedule.Key?, _ client: Int,
        _ priority: Request.Priority
    ) async -> Answer {
        if isRefusing { return Answer(outcome: .failure(.shuttingDown), path: task.path) }
        if schedule.isExhausted {
            return Answer(outcome: .failure(.allSlotsLost), path: task.path)
        }
        let (waiter, work, joined) = schedule.submit(key, client: client, priority: priority)
        if joined {
            counters.shared += 1
        } else {
            decodes[work] = Decode(
                work: work, task: task, onTimer: { [weak self] in self?.noteTimer($0) },
                onDeadline: { [weak self] in self?.noteDeadline($0) })
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                continuations[waiter] = continuation
                if Task.isCancelled { cancel(waiter) } else { startWork() }
            }
        } onCancel: {
            // Only connections cancel, on the main context.
            MainContext.assumeIsolated { self.cancel(waiter) }
        }
    }

    private func cancel(_ waiter: DecodeSchedule.Waiter) {
        guard let continuation = continuations.removeValue(forKey: waiter) else { return }
        // Nobody looks at the answer.
        defer { continuation.resume(returning: Answer(outcome: .failure(.cancelled), path: [])) }
        switch schedule.cancel(waiter) {
        case .nothing: break
        case .dropped(let work): decodes[work] = nil
        case .abandoned(let work):
            guard let decode = decodes[work] else { break }
            decode.isSettled = true
            giveUp(decode)
        }
    }

    /// Ends work that nobody waits for any more.
    func giveUp(_ decode: Decode) {
        switch decode.stage {
        case .waiting: finish(decode)
        // Its child is killed as soon as it is known.
        case .asked: break
        case .running: if !decode.isKilled { killChild(of: decode) }
        }
    }

    func startWork() {
        // Work that ends at once frees its slot for the next turn of the loop, not for a loop
        // within: the stack has no room for a whole queue.
        if isStartingWork { return }
        isStartingWork = true
        defer { isStartingWork = false }
        while let work = schedule.startNext() {
            guard let decode = decodes[work] else { preconditionFailure("unknown work") }
            if case .decode = decode.task { counters.decodes += 1 }
            ask(for: decode)
        }
    }

    /// Asks a zygote for a child, now or as soon as there is one.
    func ask(for decode: Decode) {
        let supervisor = decode.profile == .raster ? raster : wide
        if decode.profile == .wide { wideIdle.unschedule() }
        supervisor.start()
        guard let zygote = supervisor.current else {
            if supervisor.isFailing { settle(decode, .failure(.noDecoder)) }
            if decode.isSettled { finish(decode) }
            return
        }
        decode.attempts += 1
        decode.askedAt = Int64(g_get_real_time()) * 1000
        decode.zygote = zygote
        decode.stage = .asked
        decode.timer.schedule(after: Double(Limits.startSeconds))
        switch decode.task {
        case .decode(let job, _): zygote.send(.decode(job), slot: decode.work)
        case .watch(let job, let instance):
            zygote.send(.watch(job), instance, slot: decode.work)
        }
    }

    /// Asks for those children that no zygote was there for.
    private func noteChange() {
        if raster.isFailing { startGate.open() }
        for decode in decodes.values.sorted(by: { $0.work < $1.work })
        where decode.stage == .waiting && schedule.isStarted(decode.work) {
            ask(for: decode)
        }
    }
}
