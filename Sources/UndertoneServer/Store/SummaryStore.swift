import CGLib
import UndertoneProtocol

/// The summaries on disk, for the one thread that may wait for it.
///
/// The file is opened when it is first needed, and made anew where it is damaged.
final class SummaryStore: @unchecked Sendable {
    /// What there is.
    struct Usage: Equatable, Sendable {
        var entries: Int
        /// What the files take, the log included.
        var bytes: Int
    }

    /// Summaries that are to be kept, with their keys.
    typealias Batch = [(key: StoreKey, packed: [UInt8])]

    let folder: StoreFolder
    /// Bytes that the file may take.
    let limit: Int
    // Touched by the store's thread alone.
    private var table: SummaryTable?
    /// When entries were last used, as far as the file does not say so.
    private var uses: [Int64: Int64] = [:]
    private let clock: @Sendable () -> Int64

    /// Describes a store; nothing is touched before it is needed.
    ///
    /// - Parameter clock: Microseconds since the epoch, by which entries are given up: one that is
    ///   set back costs hits and no more.
    init(
        in folder: StoreFolder, limit: Int,
        clock: @escaping @Sendable () -> Int64 = { Int64(g_get_real_time()) }
    ) {
        self.folder = folder
        self.limit = limit
        self.clock = clock
    }

    /// Finds a summary.
    func summary(for key: StoreKey) throws(StoreFault) -> StoredSummary? {
        try using { table throws(SQLiteFault) in
            guard let found = try table.summary(for: key) else { return nil }
            uses[found.id] = clock()
            if uses.count >= Limits.storeUses {
                // What is found is found, though a full disk may not be told of it.
                try? table.connection.transaction { () throws(SQLiteFault) in try writeUses(table) }
                uses.removeAll(keepingCapacity: true)
            }
            return found.summary
        }
    }

    /// Keeps some summaries, for which others are given up if need be.
    func insert(_ batch: Batch) throws(StoreFault) {
        let rows = batch.map { StoredSummary.Row($0.packed, for: $0.key) }
        try using { table throws(SQLiteFault) in
            try table.connection.transaction { () throws(SQLiteFault) in
                try writeUses(table)
                // After the limit was lowered it takes several turns.
                guard try table.makeRoom(for: rows) else { return }
                for (row, entry) in zip(rows, batch) {
                    try table.insert(row, for: entry.key, at: clock())
                }
            }
        }
    }

    /// Tells what there is.
    func usage() throws(StoreFault) -> Usage {
        let entries = try using { table throws(SQLiteFault) in try table.count() }
        return Usage(entries: entries, bytes: folder.bytes)
    }

    /// Forgets everything.
    func clear() throws(StoreFault) {
        do throws(StoreFault) {
            // Nobody else has it.
            try using { _ throws(SQLiteFault) in }
        } catch {
            // What is damaged goes, too.
            if error.kind != .damaged { throw error }
        }
        try open(isNew: true)
    }

    /// Gives up a part of what is too much, if the limit was lowered.
    ///
    /// - Returns: Whether nothing is too much any more.
    func trim() throws(StoreFault) -> Bool {
        if table == nil { return true }
        return try using { table throws(SQLiteFault) in
            var isEnough = false
            try table.connection.transaction { () throws(SQLiteFault) in
                try writeUses(table)
                isEnough = try table.makeRoom(for: [])
            }
            return try table.shorten() && isEnough
        }
    }

    /// Writes what is to be written and lets the file go.
    func close() {
        if let table {
            try? table.connection.transaction { () throws(SQLiteFault) in try writeUses(table) }
        }
        uses = [:]
        table = nil
    }

    private func writeUses(_ table: SummaryTable) throws(SQLiteFault) {
        for (id, time) in uses { try table.use(id, at: time) }
        uses.removeAll(keepingCapacity: true)
    }

    private func using<Result>(
        _ body: (SummaryTable) throws(SQLiteFault) -> Result
    ) throws(StoreFault) -> Result {
        do throws(StoreFault) {
            if table == nil { try open(isNew: false) }
            guard let table else { preconditionFailure("it is open") }
            return try storing { () throws(SQLiteFault) in try body(table) }
        } catch {
            if error.kind == .damaged {
                try open(isNew: true)
            } else if error.kind != .full {
                // Whatever is wrong with this file, its path may lead to a better one later.
                table = nil
            }
            throw error
        }
    }

    private func open(isNew: Bool) throws(StoreFault) {
        uses = [:]
        table = nil
        table = try folder.prepare(isNew: isNew) { () throws(StoreFault) in
            try storing { () throws(SQLiteFault) in
                try SummaryTable(opening: folder.file, limit: limit)
            }
        }
    }
}
