import GLibSupport
import Glibc
import UndertoneProtocol

/// Requests for the daemon's state.
extension Service {
    /// Counts a reply that says what the daemon is and has done, and returns its line.
    func status(id: RequestID?) -> [UInt8] {
        counters.replies += 1
        return Reply.status(id: id, report())
    }

    private func report() -> StatusReport {
        var report = StatusReport()
        report.process = getpid()
        report.decoder = pool.capabilities
        report.deadlineSeconds = configuration.deadlineSeconds
        report.memoryCacheBytes = configuration.memoryCacheBytes
        report.diskCacheBytes = disk.store?.limit ?? 0
        report.errors = errors
        report.counters = counters
        report.counters.uptimeSeconds = Int(MainContext.now - start)
        report.counters.cacheEntries = cache.count
        report.counters.cacheBytes = cache.bytes
        report.counters.diskHits = disk.hits
        report.counters.diskMisses = disk.misses
        report.counters.decodes = pool.counters.decodes
        report.counters.sharedDecodes = pool.counters.shared
        report.counters.decoderSlots = pool.schedule.slots
        report.counters.decodersRunning = pool.schedule.running
        report.counters.decodersQueued = pool.schedule.queued
        report.counters.decodersStuck = pool.schedule.lost
        report.counters.timeouts = pool.counters.timeouts
        report.counters.crashes = pool.counters.crashes
        report.counters.zygoteRestarts = pool.zygoteRestarts
        report.counters.connectionsWatching = watches.count
        return report
    }
}
