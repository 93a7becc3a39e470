import UndertoneProtocol

/// When a burst of changes counts as one: once nothing has happened for a moment, but not later
/// than a while after the first.
struct Settling: Equatable {
    private var first: Double?
    private var last = 0.0

    /// Notes a change.
    mutating func note(at now: Double) {
        if first == nil { first = now }
        last = now
    }

    /// Whether nothing has happened for a moment.
    func isQuiet(at now: Double) -> Bool {
        first == nil || last + Limits.watchQuietSeconds <= now
    }

    /// When what changed is to be looked at, in seconds on the clock of `note`; nil if nothing did.
    var due: Double? {
        first.map { min(last + Limits.watchQuietSeconds, $0 + Limits.watchBurstSeconds) }
    }
}
