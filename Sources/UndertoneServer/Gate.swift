import GLibSupport

/// What tasks wait at until it opens, once and for good.
@MainContext
final class Gate {
    private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    private var nextWaiter = 0
    /// Whether nobody waits any more.
    private(set) var isOpen = false

    /// Lets everybody through.
    func open() {
        isOpen = true
        for waiter in waiters.keys.sorted() { waiters.removeValue(forKey: waiter)?.resume() }
    }

    /// Waits until it is open; returns early when the task is cancelled.
    func wait() async {
        let waiter = nextWaiter
        nextWaiter += 1
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if isOpen || Task.isCancelled { return continuation.resume() }
                waiters[waiter] = continuation
            }
        } onCancel: {
            // Only connections cancel, on the main context.
            MainContext.assumeIsolated { self.waiters.removeValue(forKey: waiter)?.resume() }
        }
    }
}
