import CGLib
import GLibSupport
import Glibc
import UndertoneColor
import UndertoneProtocol

/// Has pictures decoded: at most so many at once, each by a child of its own.
@MainContext
final class DecoderPool {
    /// What comes of a picture.
    typealias Outcome = Result<CachedSummary, RequestError>

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
    var continuations: [DecodeSchedule.Waiter: CheckedContinuation<Outcome, Never>] = [:]
    let raster: ZygoteSupervisor
    let wide: ZygoteSupervisor
    /// How much of the started work is the wide zygote's.
    var wideWork = 0
    /// Zygotes that finish their work and get no more.
    var retiring: [Zygote] = []
    let deadline: Double
    let wideIdle: MainTimer
    /// Told of each summary before those who wait for it.
    var onSummary: @MainContext (DecodeJob, CachedSummary, FileIdentity) -> Void = { _, _, _ in }
    /// Told of each picture that crashed its child.
    var onCrasher: @MainContext (FileIdentity) -> Void = { _ in }

    init(program: [UInt8], sandbox: SandboxRequirement, slots: Int, deadline: Double) {
        schedule = DecodeSchedule(slots: slots)
        self.deadline = deadline
        raster = ZygoteSupervisor(program: program, profile: .raster, sandbox: sandbox)
        let wide = ZygoteSupervisor(program: program, profile: .wide, sandbox: sandbox)
        self.wide = wide
        wideIdle = MainTimer { wide.dismiss()?.retire() }
        for supervisor in [raster, wide] {
            supervisor.onEvent = { [weak self] in self?.receive($0, $1, $2) }
            supervisor.onEnd = { [weak self] in self?.noteEnd(of: $0) }
            supervisor.onChange = { [weak self] in self?.resumeWaiting() }
        }
    }

    /// Starts the raster zygote.
    func start() { raster.start() }

    /// Replaces the zygotes, so that they load their modules again; running children finish.
    func reload() {
        let old = [raster.replace(), wide.dismiss()].compactMap(\.self)
        retiring += old
        for zygote in old { retireIfIdle(zygote) }
    }

    /// Ends the zygotes and with them every child.
    func stop() {
        for zygote in [raster.dismiss(), wide.dismiss()] + retiring { zygote?.retire() }
    }

    /// What the zygotes can do; nil while none was ready.
    var capabilities: DecoderCapabilities? {
        guard var result = raster.capabilities else { return nil }
        if let more = wide.capabilities { result.formats.formUnion(more.formats) }
        return result
    }

    /// Starts of zygotes that an unexpected end made necessary.
    var zygoteRestarts: Int { raster.restarts + wide.restarts }

    /// Has a picture decoded; the work is given up when the last task that waits for it is
    /// cancelled.
    func summary(
        of job: DecodeJob, identity: FileIdentity?, client: Int, priority: Request.Priority
    ) async -> Outcome {
        if schedule.isExhausted { return .failure(.allSlotsLost) }
        let key = DecodeSchedule.Key(job, identity: identity)
        let (waiter, work, joined) = schedule.submit(key, client: client, priority: priority)
        if joined {
            counters.shared += 1
        } else {
            decodes[work] = Decode(work: work, job: job, identity: identity) { [weak self] in
                self?.noteTimer($0)
            }
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
        switch schedule.cancel(waiter) {
        case .nothing: break
        case .dropped(let work): decodes[work] = nil
        case .abandoned(let work): abandon(work)
        }
        continuation.resume(returning: .failure(.cancelled))
    }

    /// Ends work that nobody waits for.
    private func abandon(_ work: DecodeSchedule.Work) {
        guard let decode = decodes[work] else { return }
        decode.isSettled = true
        switch decode.stage {
        case .waiting: finish(decode)
        case .asked: break
        case .running: killChild(of: decode)
        }
    }

    func startWork() {
        while let work = schedule.startNext() {
            guard let decode = decodes[work] else { preconditionFailure("unknown work") }
            counters.decodes += 1
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
        zygote.send(decode.job, slot: decode.work)
    }

    /// Asks for those children that no zygote was there for.
    private func resumeWaiting() {
        for decode in decodes.values.sorted(by: { $0.work < $1.work })
        where decode.stage == .waiting && schedule.isStarted(decode.work) {
            ask(for: decode)
        }
    }
}
