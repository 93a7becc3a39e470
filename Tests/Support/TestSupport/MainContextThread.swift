import GLibSupport
import Glibc
import Synchronization

/// A thread of the test process that runs the main context for all tests, for ever.
public enum MainContextThread {
    private static let started: Void = {
        var thread = pthread_t()
        let failure = unsafe pthread_create(
            &thread, nil,
            { _ in
                MainContext.run { () async -> Never in
                    while true { await MainContext.sleep(seconds: 3600) }
                }
            }, nil)
        precondition(failure == 0, "no thread for the main context")
    }()

    /// Starts the thread, unless it runs.
    public static func start() { started }
}
