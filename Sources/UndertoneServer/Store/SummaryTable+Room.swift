/// What is given up for room.
extension SummaryTable {
    /// The most entries that are given up at once: questions wait meanwhile.
    private static let batch = 256
    /// The most pages that are made free beyond what is needed, so that not every insertion has to.
    private static let spare = 128

    /// More pages than tables without a row take.
    private static let emptyPages = 16

    /// How many summaries there are.
    func count() throws(SQLiteFault) -> Int {
        Int(try connection.number("SELECT count(*) FROM entry"))
    }

    /// Gives up what was not used for the longest until there is room for some summaries more,
    /// within a transaction.
    ///
    /// - Returns: Whether there is room, which may take more than one call.
    func makeRoom(for rows: [StoredSummary.Row]) throws(SQLiteFault) -> Bool {
        // Their entries and the tables' upper pages, too.
        let bytes = rows.reduce(0) { $0 + $1.value.count + 256 }
        let needed = rows.isEmpty ? 0 : bytes / Self.pageBytes + 4
        guard try usedPages() + needed > limitPages else { return true }
        let most = max(0, limitPages - needed - min(Self.spare, limitPages / 16))
        var budget = Self.batch
        while budget > 0, try usedPages() > most {
            let ids = try oldestEntries(min(budget, 32))
            if ids.isEmpty {
                // Summaries that no entry names would never go.
                guard try usedPages() <= Self.emptyPages else { throw SQLiteFault.atOdds }
                break
            }
            for id in ids { try remove(id) }
            budget -= ids.count
        }
        return try usedPages() + needed <= limitPages
    }

    /// Makes the file shorter by a part of what is above its limit and holds nothing.
    ///
    /// - Returns: Whether nothing of that is left.
    func shorten() throws(SQLiteFault) -> Bool {
        let all = try Int(pages.firstNumber() ?? 0)
        let excess = min(all - limitPages, try Int(freePages.firstNumber() ?? 0))
        guard excess > 0 else { return true }
        try connection.execute("PRAGMA incremental_vacuum(\(min(excess, Self.batch)))")
        return excess <= Self.batch
    }

    private func usedPages() throws(SQLiteFault) -> Int {
        try Int(pages.firstNumber() ?? 0) - Int(freePages.firstNumber() ?? 0)
    }

    private func oldestEntries(_ count: Int) throws(SQLiteFault) -> [Int64] {
        oldest.bind(Int64(count), at: 1)
        defer { oldest.reset() }
        var ids: [Int64] = []
        while try oldest.step() { ids.append(oldest.number(0)) }
        return ids
    }
}
