import GLibSupport
import Glibc
import UndertoneColor
import UndertoneProtocol

/// Watches where paths lead: has the watches placed by a child, and tells of settled changes.
@MainContext
final class PathWatch {
    private let job: WatchJob
    private let instance: SharedDescriptor
    private let instances: WatchInstances
    private var watch: FileWatch?
    private var places = WatchedPlaces()
    private var settling = Settling()
    private var timer: MainTimer?
    private var waiter: CheckedContinuation<Void, Never>?

    /// Takes an inotify instance, without watches yet; `end` gives it back.
    init(_ paths: [[UInt8]], instances: WatchInstances) throws(RequestError) {
        job = WatchJob(paths: paths)
        self.instances = instances
        instance = try instances.take()
        do throws(SystemError) {
            watch = try FileWatch(instance.number, for: []) { [weak self] _ in self?.read() }
        } catch {
            instances.giveBack(instance)
            throw RequestError(.busy, error.description)
        }
        instances.mounts.add(self)
    }

    /// Ends the watch and whoever waits for it.
    func end() {
        guard let watch else { return }
        watch.cancel()
        self.watch = nil
        timer = nil
        instances.mounts.remove(self)
        instances.giveBack(instance)
        wake()
    }

    /// Has the watches placed, again after each change: other directories may be on the way now.
    ///
    /// What changes from now on is a change; what changed before is seen in the files' identities.
    ///
    /// - Returns: Which regular files the paths lead to, nil for one that leads to none.
    func place(
        by pool: DecoderPool, client: Int, priority: Request.Priority
    ) async throws(RequestError) -> [FileIdentity?] {
        while watch != nil, !readSome().isEmpty {}
        settling = Settling()
        // What happens meanwhile waits in the instance until it can be told whether it matters.
        watch?.interest = []
        let (files, placed) = try await pool.watch(
            job, in: instance, client: client, priority: priority
        ).get()
        let outdated = places.watches
        places = WatchedPlaces(placed)
        for watch in outdated.subtracting(places.watches) {
            inotify_rm_watch(instance.number, watch)
        }
        watch?.interest = .readable
        return files
    }

    /// Makes sure that `change` returns, as after a change.
    func noteChange() {
        settling.note(at: MainContext.now)
        scheduleTimer()
    }

    /// Whether nothing has changed since the last `place`.
    var isSettled: Bool {
        read()
        return settling.due == nil
    }

    /// Waits until something has changed since the last `place` and has settled, or has gone on
    /// changing for long enough, or until the task is cancelled.
    ///
    /// - Returns: Whether it has settled.
    func change() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiter = continuation
                if Task.isCancelled || watch == nil { wake() } else { scheduleTimer() }
            }
        } onCancel: {
            // Only connections cancel, on the main context.
            MainContext.assumeIsolated { self.wake() }
        }
        return settling.isQuiet(at: MainContext.now)
    }

    private func read() {
        if readSome().contains(where: places.concerns) { noteChange() }
    }

    /// Reads once; nothing where nothing waits.
    private func readSome() -> [InotifyEvent] {
        let size = Limits.readBytes
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { room in
            let count = unsafe Glibc.read(instance.number, room.baseAddress, size)
            return unsafe InotifyEvent.all(in: Array(room.prefix(max(0, count)))[...])
        }
    }

    private func scheduleTimer() {
        // One that runs already looks itself whether it is time.
        guard waiter != nil, timer == nil, let due = settling.due else { return }
        let timer = MainTimer { [weak self] in self?.noteTimer() }
        self.timer = timer
        timer.schedule(after: due - MainContext.now)
    }

    private func noteTimer() {
        timer = nil
        guard let due = settling.due else { return }
        if due <= MainContext.now { wake() } else { scheduleTimer() }
    }

    private func wake() {
        waiter?.resume()
        waiter = nil
    }
}
