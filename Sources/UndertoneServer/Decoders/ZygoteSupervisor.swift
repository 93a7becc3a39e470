import GLibSupport
import UndertoneProtocol

/// Keeps one kind of zygote running: starts it, again when it dies, and another one on demand.
@MainContext
final class ZygoteSupervisor {
    let profile: DecoderProfile
    /// The zygote that takes new work, if one runs.
    private(set) var current: Zygote?
    /// Starts that an unexpected end made necessary.
    private(set) var restarts = 0
    /// What the last zygote that was ready could do.
    private(set) var capabilities: DecoderCapabilities?
    private var policy = RestartPolicy()
    private let setup: DecoderSetup
    private var timer: MainTimer?

    /// Called for each packet of a zygote.
    var onEvent: Zygote.EventHandler = { _, _, _ in }
    /// Called when a zygote died; the next one may not run yet.
    var onEnd: Zygote.EndHandler = { _ in }
    /// Called when a zygote can be asked again, or when it has become vain to wait for one.
    var onChange: @MainContext () -> Void = {}

    init(_ setup: DecoderSetup, profile: DecoderProfile) {
        self.setup = setup
        self.profile = profile
    }

    /// Whether work that waits for a zygote waits in vain.
    var isFailing: Bool { current == nil && policy.isFailing }

    /// Starts a zygote, unless one runs or is going to be started.
    func start() {
        guard current == nil, timer == nil else { return }
        policy.noteStart(at: MainContext.now)
        do throws(SystemError) {
            let zygote = try Zygote(
                setup, profile: profile,
                onEvent: { [weak self] in self?.receive($0, $1, $2) },
                onEnd: { [weak self] in self?.noteEnd($0) })
            current = zygote
            Log.write(.debug, "started the \(profile.rawValue) decoder, process \(zygote.pid)")
        } catch {
            Log.write(.error, "the \(profile.rawValue) decoder cannot be started: \(error)")
            startLater()
        }
    }

    /// Lets the current zygote take no more work, and hands it over; the next one starts at once.
    func replace() -> Zygote? {
        let old = current
        current = nil
        if old != nil || timer == nil { start() }
        return old
    }

    /// Lets the current zygote take no more work, and hands it over; the next one starts when
    /// there is work.
    func dismiss() -> Zygote? {
        defer {
            current = nil
            // The next one may find other loaders.
            capabilities = nil
        }
        return current
    }

    private func receive(
        _ zygote: Zygote, _ event: ZygoteEvent, _ descriptors: [SharedDescriptor]
    ) {
        if zygote === current {
            switch event {
            case .ready(let capabilities): self.capabilities = capabilities
            // Until then it may end by a loader that cannot be had.
            case .prepared: policy.noteReady()
            case .started, .notStarted, .exited, .outdated: break
            }
        }
        onEvent(zygote, event, descriptors)
    }

    private func noteEnd(_ zygote: Zygote) {
        guard zygote === current else {
            onEnd(zygote)
            return onChange()
        }
        Log.write(.warning, "the \(profile.rawValue) decoder ended unexpectedly")
        current = nil
        // Before the next start, so that what was lost is known when it is to be sent again.
        onEnd(zygote)
        startLater()
        onChange()
    }

    private func startLater() {
        let delay = policy.noteEnd(at: MainContext.now)
        let timer = MainTimer { [weak self] in
            self?.timer = nil
            self?.restarts += 1
            self?.start()
            self?.onChange()
        }
        self.timer = timer
        timer.schedule(after: delay)
    }
}
