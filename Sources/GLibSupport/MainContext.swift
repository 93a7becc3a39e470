/// The one thread that does everything: a global actor whose executor is the default GLib main
/// context.
///
/// Code isolated to it runs where GLib's sources run, so callbacks and structured concurrency
/// share their state without locks.
@globalActor
public actor MainContext {
    /// The actor itself.
    public static let shared = MainContext()

    private nonisolated let executor = MainContextExecutor()

    /// The executor that runs the actor's jobs from the main context.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Runs the main context on this thread until `body` returns, and returns what it returns.
    ///
    /// The thread is the actor's for the rest of the process's life, so all calls come from one.
    public nonisolated static func run<Result: Sendable>(
        _ body: @escaping @Sendable @MainContext () async -> Result
    ) -> Result {
        shared.executor.adoptCurrentThread()
        let outcome = Outcome<Result>()
        start {
            let value = await body()
            unsafe outcome.value = value
        }
        while true {
            if let value = unsafe outcome.value { return value }
            MainContextExecutor.iterate()
        }
    }

    /// Starts a task on the main context.
    ///
    /// Every task that is to stay there must be started by this. In Swift 6.3 a continuation
    /// resumes on the default executor, of all places, whatever the isolation of the code that
    /// waits; only a task's preferred executor, which its children inherit, comes before that one.
    @discardableResult
    public nonisolated static func start<Result: Sendable>(
        _ body: @escaping @Sendable @MainContext () async -> Result
    ) -> Task<Result, Never> {
        Task(executorPreference: shared.executor, operation: body)
    }

    /// Runs a closure as the actor's own, in a callback that GLib makes on the actor's thread.
    ///
    /// Traps on any other thread.
    public nonisolated static func assumeIsolated<Result: Sendable>(
        _ body: @MainContext () -> Result
    ) -> Result {
        precondition(shared.executor.isOnOwnThread, "not on the main context's thread")
        return withoutActuallyEscaping(body) { body in
            // The isolation is part of the closure's type and nothing of its representation.
            unsafe unsafeBitCast(body, to: (() -> Result).self)()
        }
    }

    /// Whether a job waits; asked on the actor's own thread.
    nonisolated static var hasReadyJobs: Bool { shared.executor.hasReadyJobs }

    /// Runs the jobs that a callback has made ready, before GLib polls again.
    nonisolated static func runReadyJobs() {
        shared.executor.runReadyJobs()
    }
}

/// Where `MainContext.run` finds the result of its task; touched on the actor's thread only.
private final class Outcome<Value: Sendable>: Sendable {
    nonisolated(unsafe) var value: Value?
}
