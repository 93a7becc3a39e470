import GLibSupport

/// Signals in the order in which they came, for one task that waits for them.
@MainContext
final class SignalQueue {
    private var waiting: [Int32] = []
    private var sleeper: CheckedContinuation<Int32, Never>?
    private var watch: SignalWatch?

    init(_ signals: [Int32]) throws(SystemError) {
        watch = try SignalWatch(signals) { [weak self] in self?.receive($0) }
    }

    /// The next signal, as soon as one comes.
    func next() async -> Int32 {
        if !waiting.isEmpty { return waiting.removeFirst() }
        return await withCheckedContinuation { sleeper = $0 }
    }

    private func receive(_ signal: Int32) {
        if let sleeper {
            self.sleeper = nil
            sleeper.resume(returning: signal)
        } else {
            waiting.append(signal)
        }
    }
}
