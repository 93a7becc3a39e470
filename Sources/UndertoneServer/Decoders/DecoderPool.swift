import CGLib
import GLibSupport
import Glibc
import UndertoneColor
import UndertoneProtocol

/// Has pictures decoded and watches placed: at most so many at once, each by a child of its own.
@MainContext
final class DecoderPool {
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
    private(set) var isRefusing = false
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
    var onSummary: @MainContext (DecodeJob, CachedSummary, ImageSummary) -> Void = { _, _, _ in }
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
