import GLibSupport
import UndertoneProtocol

/// Requests for what is kept, and to forget it.
extension Service {
    /// Answers when the disk has, or when it was waited for long enough.
    func answerAboutCache(_ id: RequestID?, isCleared: Bool) -> Answer {
        let work: Work = { _ in
            if isCleared {
                self.cache.removeAll()
                do throws(RequestError) {
                    try await self.disk.empty()
                } catch {
                    return Task.isCancelled ? [] : self.failure(id: id, error)
                }
            }
            let report = CacheReport(memory: self.memoryReport, disk: await self.disk.report())
            if Task.isCancelled { return [] }
            self.countReply(nil)
            return Reply.cache(id: id, report)
        }
        return .later(work)
    }

    private var memoryReport: CacheReport.Memory {
        CacheReport.Memory(
            entries: cache.count, bytes: cache.bytes, limit: configuration.memoryCacheBytes,
            hits: counters.cacheHits, misses: counters.cacheMisses)
    }
}

extension DiskCache {
    /// Forgets everything that is kept on disk, if something is.
    fileprivate func empty() async throws(RequestError) {
        if store == nil { return }
        switch await clear() {
        case .success: break
        case .failure(let fault) where fault.kind == .busy:
            throw RequestError(.busy, "another daemon has the cache on disk: ask again")
        case .failure(let fault):
            throw RequestError(.internal, "the cache on disk: \(fault.message)")
        case nil: throw RequestError(.timeout, "the cache on disk does not answer")
        }
    }
}
