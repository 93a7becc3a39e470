internal import Glibc

/// The signals that end a watch, which is as good an end as any.
enum Interruption {
    private static let signals = [SIGINT, SIGTERM]

    /// Has SIGINT and SIGTERM end this process with status 0, and a closed pipe be an error.
    ///
    /// At once, also where a reader that reads no more keeps a write waiting. A signal that is
    /// ignored stays so, as shells have it for what runs in the background.
    static func endsWell() {
        for number in signals {
            let before = signal(number) { _ in _exit(0) }
            let ignored = SIG_IGN
            if unsafe unsafeBitCast(before, to: Int.self) == unsafeBitCast(ignored, to: Int.self) {
                _ = signal(number, ignored)
            }
        }
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Does something that an end of this process must not interrupt.
    static func deferred<Result, Failure>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var blocked = sigset_t()
        var before = sigset_t()
        unsafe sigemptyset(&blocked)
        for number in signals { unsafe sigaddset(&blocked, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return try body()
    }
}
