import CGLib
import Synchronization

/// A thread for calls that may block, one after another; it ends with its last reference.
///
/// Neither Swift's executors nor GLib's pools have a part in it, so the process has this one thread
/// more and no others.
@safe
public final class WorkThread: Sendable {
    private nonisolated(unsafe) let jobs: OpaquePointer

    /// Starts the thread, which inherits the blocked signals of the calling one.
    ///
    /// - Parameter name: What the kernel calls it, at most 15 bytes.
    /// - Returns: nil where the process may have no more threads.
    public init?(name: String) {
        let jobs = unsafe g_async_queue_new()
        // The thread has a reference of its own.
        unsafe g_async_queue_ref(jobs)
        guard let thread = unsafe g_thread_try_new(name, work, UnsafeMutableRawPointer(jobs), nil)
        else {
            unsafe g_async_queue_unref(jobs)
            unsafe g_async_queue_unref(jobs)
            return nil
        }
        unsafe g_thread_unref(thread)
        unsafe self.jobs = jobs!
    }

    /// Has the thread run a job after those that it was given before.
    public func run(_ job: @escaping @Sendable () -> Void) {
        unsafe g_async_queue_push(jobs, Unmanaged.passRetained(Job(job)).toOpaque())
    }

    deinit {
        unsafe g_async_queue_push(jobs, Unmanaged.passRetained(Job(nil)).toOpaque())
        unsafe g_async_queue_unref(jobs)
    }
}

/// What the thread is to do; the last one is nothing.
private final class Job: Sendable {
    private let body: (@Sendable () -> Void)?
    /// Tells the thread sanitizer of the hand-over, which GLib's queue does out of its sight.
    private let isComplete = Atomic<Bool>(false)

    init(_ body: (@Sendable () -> Void)?) {
        self.body = body
        isComplete.store(true, ordering: .releasing)
    }

    /// What there is to do, on the thread that does it.
    func take() -> (@Sendable () -> Void)? {
        isComplete.load(ordering: .acquiring) ? body : nil
    }
}

private let work: GThreadFunc = { pointer in
    let jobs = OpaquePointer(pointer)
    while let next = unsafe g_async_queue_pop(jobs) {
        guard let body = unsafe Unmanaged<Job>.fromOpaque(next).takeRetainedValue().take() else {
            break
        }
        body()
    }
    unsafe g_async_queue_unref(jobs)
    return nil
}
