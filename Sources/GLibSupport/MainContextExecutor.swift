import CGLib
import Glibc
import Synchronization

/// Runs the jobs of `MainContext`, and all jobs of the tasks that prefer it, from a GLib source.
///
/// Jobs from the actor's own thread go into a plain array: whoever enqueues them is inside a
/// callback that runs the array before it returns, so they need neither a lock nor a wake-up.
/// Jobs from other threads go through a lock and wake the poll.
final class MainContextExecutor: SerialExecutor, TaskExecutor {
    /// The thread's `pthread_t`, 0 until one is adopted.
    private let owner = Atomic<UInt>(0)
    private let foreign = Mutex<[UnownedJob]>([])
    private let hasForeign = Atomic<Bool>(false)
    /// Touched only on the actor's own thread.
    private nonisolated(unsafe) var ready: [UnownedJob] = []
    private nonisolated(unsafe) var next = 0

    /// Jobs that run before GLib polls again, so that jobs that make jobs don't starve sockets.
    private static let batch = 1024

    init() {
        let source = unsafe g_source_new(JobSource.functions, UInt32(MemoryLayout<GSource>.size))
        unsafe g_source_attach(source, nil)
    }

    /// Whether the calling thread is the one that runs the jobs.
    var isOnOwnThread: Bool {
        owner.load(ordering: .relaxed) == UInt(pthread_self())
    }

    func adoptCurrentThread() {
        owner.store(UInt(pthread_self()), ordering: .relaxed)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isOnOwnThread {
            unsafe ready.append(job)
        } else {
            foreign.withLock { $0.append(job) }
            hasForeign.store(true, ordering: .releasing)
            g_main_context_wakeup(nil)
        }
    }

    func checkIsolated() {
        precondition(isOnOwnThread, "not on the main context's thread")
    }

    func isIsolatingCurrentContext() -> Bool? { isOnOwnThread }

    /// Whether a job waits; asked on the actor's own thread.
    var hasReadyJobs: Bool {
        unsafe next < ready.count || hasForeign.load(ordering: .acquiring)
    }

    /// Runs what is ready, at most a batch; called on the actor's own thread.
    func runReadyJobs() {
        if !hasReadyJobs { return }
        if hasForeign.exchange(false, ordering: .acquiring) {
            let jobs = foreign.withLock { jobs in
                defer { jobs.removeAll(keepingCapacity: true) }
                return jobs
            }
            unsafe ready.append(contentsOf: jobs)
        }
        var budget = Self.batch
        while unsafe next < ready.count, budget > 0 {
            let job = unsafe ready[next]
            unsafe next += 1
            budget -= 1
            unsafe job.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
        if unsafe next == ready.count {
            unsafe ready.removeAll(keepingCapacity: true)
            unsafe next = 0
        } else {
            unsafe ready.removeFirst(next)
            unsafe next = 0
        }
    }

    /// Waits for the main context's sources and dispatches them once.
    static func iterate() {
        g_main_context_iteration(nil, 1)
    }
}

/// The GLib source that finds jobs which no callback of ours has run.
private enum JobSource {
    /// Lives for ever: GLib keeps the pointer as long as the source.
    nonisolated(unsafe) static let functions: UnsafeMutablePointer<GSourceFuncs> = {
        let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
        unsafe functions.initialize(to: GSourceFuncs())
        unsafe functions.pointee.prepare = { _, timeout in
            unsafe timeout?.pointee = -1
            return MainContext.hasReadyJobs ? 1 : 0
        }
        unsafe functions.pointee.check = { _ in MainContext.hasReadyJobs ? 1 : 0 }
        unsafe functions.pointee.dispatch = { _, _, _ in
            MainContext.runReadyJobs()
            return 1
        }
        return unsafe functions
    }()
}
