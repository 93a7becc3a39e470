import CGLib

extension MainContext {
    /// Seconds on a clock that nobody sets.
    public nonisolated static var now: Double {
        Double(g_get_monotonic_time()) / 1e6
    }

    /// Waits without holding anything up; returns early when the task is cancelled.
    @MainContext
    public static func sleep(seconds: Double) async {
        let sleeper = Sleeper()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                sleeper.start(seconds, continuation)
            }
        } onCancel: {
            // Whoever cancels may be on any thread.
            start { sleeper.wake() }
        }
    }
}

/// A continuation that a timer or a cancellation resumes, whichever comes first.
@MainContext
private final class Sleeper {
    private var continuation: CheckedContinuation<Void, Never>?
    private var timer: MainTimer?
    private var isWoken = false

    nonisolated init() {}

    func start(_ seconds: Double, _ continuation: CheckedContinuation<Void, Never>) {
        if isWoken { return continuation.resume() }
        self.continuation = continuation
        timer = MainTimer { [weak self] in self?.wake() }
        timer?.schedule(after: seconds)
    }

    func wake() {
        isWoken = true
        timer = nil
        continuation?.resume()
        continuation = nil
    }
}
