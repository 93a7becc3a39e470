import GLibSupport
import UndertoneProtocol

/// What is written, off every reply's way, and what is asked by those who have a moment.
extension DiskCache {
    /// Keeps a summary, some time later.
    func insert(_ packed: [UInt8], for key: DecodeSchedule.Key) {
        guard canWriteLater, let key = StoreKey(key) else { return }
        queue.append(packed, for: key)
        continueWriting()
    }

    /// Whether what cannot be written now may be a moment later.
    private var canWriteLater: Bool { isAskable || state == .busy }

    private func continueWriting() {
        if queue.count >= Limits.storeBatch {
            write()
        } else if !queue.isEmpty, !writing.isScheduled {
            writing.schedule(after: Limits.storeDelaySeconds)
        }
    }

    /// Hands a batch to the thread, one at a time.
    func write() {
        if isWriting || queue.isEmpty { return }
        guard isAskable else {
            if !canWriteLater { queue.removeAll() }
            if !queue.isEmpty { writing.schedule(after: Limits.storeBusySeconds) }
            return
        }
        isWriting = true
        let batch = queue.takeBatch()
        let job: Job<Void> = { store throws(StoreFault) in try store.insert(batch) }
        run(job) { result in
            self.isWriting = false
            switch result {
            case .success: self.noteRoom()
            case .failure(let fault):
                if fault.kind == .busy { self.queue.putBack(batch) }
            }
            self.continueWriting()
        }
    }

    /// Forgets everything; nil if that takes too long.
    func clear() async -> Result<Void, StoreFault>? {
        queue.removeAll()
        let outcome = await result(within: Limits.storeReportSeconds) {
            store throws(StoreFault) in
            try store.clear()
        }
        if case .success = outcome { noteRoom() }
        return outcome
    }

    /// Tells what there is.
    func report() async -> CacheReport.Disk {
        var report = CacheReport.Disk()
        if let store {
            let usage = await result(within: Limits.storeReportSeconds) {
                store throws(StoreFault) in
                try store.usage()
            }
            if case .success(let usage) = usage {
                report.entries = usage.entries
                report.bytes = usage.bytes
            }
            report.path = store.folder.file
            report.limit = store.limit
        }
        report.state = state
        report.hits = hits
        report.misses = misses
        return report
    }

    /// Writes what waits and lets the file go, unless that takes too long.
    func finish() async {
        if store == nil || !canWriteLater { return }
        writing.unschedule()
        while !queue.isEmpty {
            let batch = queue.takeBatch()
            run({ store throws(StoreFault) in try store.insert(batch) }, then: { _ in })
        }
        _ = await result(within: Limits.storeFarewellSeconds) { store in store.close() }
    }

    /// What comes of a job; nil if that takes too long, or if the disk hangs already.
    private func result<Success: Sendable>(
        within seconds: Double, _ job: @escaping Job<Success>
    ) async -> Result<Success, StoreFault>? {
        if state == .stalled { return nil }
        let outcome = Outcome<Success>()
        let timer = MainTimer {
            if seconds >= self.patienceSeconds { self.stall() }
            outcome.settle(nil)
        }
        timer.schedule(after: seconds)
        defer { timer.unschedule() }
        return await withCheckedContinuation { continuation in
            outcome.continuation = continuation
            run(job) { outcome.settle($0) }
        }
    }
}

/// Whoever waits for a job, until it or their patience ends.
@MainContext
private final class Outcome<Success: Sendable> {
    var continuation: CheckedContinuation<Result<Success, StoreFault>?, Never>?

    func settle(_ result: Result<Success, StoreFault>?) {
        continuation?.resume(returning: result)
        continuation = nil
    }
}
