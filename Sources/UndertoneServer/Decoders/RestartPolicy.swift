import UndertoneProtocol

/// When a zygote that died is started again: at once if it had done well, later and later if it
/// keeps dying.
struct RestartPolicy {
    /// How long a zygote must live for its end to be none of its fault.
    private static let healthySeconds = 10.0
    /// The first wait, doubled each time.
    private static let firstDelay = 0.05
    /// Ends in a row without ever being ready, after which its work is refused.
    private static let patience = 3

    private var started = 0.0
    private var isReady = false
    private var earlyEnds = 0
    private var unreadyEnds = 0

    /// Whether waiting for it is in vain, as far as can be told.
    var isFailing: Bool { unreadyEnds >= Self.patience }

    /// Notes a start.
    mutating func noteStart(at now: Double) {
        started = now
        isReady = false
    }

    /// Notes that the zygote can work.
    mutating func noteReady() {
        isReady = true
        unreadyEnds = 0
    }

    /// Notes an end that nobody asked for, and tells the seconds to wait before the next start.
    mutating func noteEnd(at now: Double) -> Double {
        unreadyEnds = isReady ? 0 : unreadyEnds + 1
        earlyEnds = now - started >= Self.healthySeconds ? 0 : earlyEnds + 1
        guard earlyEnds > 1 else { return 0 }
        let doublings = min(earlyEnds - 2, 16)
        return min(Self.firstDelay * Double(1 << doublings), Limits.restartSeconds)
    }
}
