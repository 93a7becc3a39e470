import UndertoneProtocol

/// Summaries that wait to be stored, the oldest first, at most so many bytes.
struct StoreQueue {
    private var entries: [(key: StoreKey, packed: [UInt8])] = []
    /// What the summaries take.
    private(set) var bytes = 0

    /// How many there are.
    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }

    /// Adds a summary, or drops it where there are too many already: a disk that is slower than
    /// the decoders costs hits and no memory.
    mutating func append(_ packed: [UInt8], for key: StoreKey) {
        guard bytes + packed.count <= Limits.storeQueueBytes else { return }
        entries.append((key, packed))
        bytes += packed.count
    }

    /// Takes those that are to be written at once: few, so that questions need not wait for long.
    mutating func takeBatch() -> SummaryStore.Batch {
        var size = 0
        let batch = entries.prefix(Limits.storeBatch).prefix { entry in
            defer { size += entry.packed.count }
            return size < Limits.storeBatchBytes
        }
        entries.removeFirst(batch.count)
        bytes -= Self.size(of: batch)
        return Array(batch)
    }

    /// Puts a batch back that could not be written.
    mutating func putBack(_ batch: SummaryStore.Batch) {
        guard bytes + Self.size(of: batch) <= Limits.storeQueueBytes else { return }
        entries = batch + entries
        bytes += Self.size(of: batch)
    }

    /// Drops everything.
    mutating func removeAll() {
        entries = []
        bytes = 0
    }

    private static func size(of batch: some Collection<(key: StoreKey, packed: [UInt8])>) -> Int {
        batch.reduce(0) { $0 + $1.packed.count }
    }
}
