import UndertoneProtocol

/// The database of summaries, open.
///
/// It holds the file to the exclusion of other processes. So the log's index is in this process's
/// own memory, not in a file that is mapped: whatever happens to the disk beneath a mapped file
/// would end the daemon by SIGBUS.
final class SummaryTable {
    /// `UTSS`: what other programs' databases are not.
    static let application: Int64 = 0x5554_5353
    /// The version of the tables.
    static let version: Int64 = 1
    /// Bytes of the unit in which the file grows: one holds some four pictures' summaries.
    static let pageBytes = 8192
    /// Bytes that are set aside for the log, or a quarter of the limit if that is less.
    private static let logBytes = 8 << 20

    let connection: SQLiteConnection
    /// What the file may take.
    let limitPages: Int
    let pages, freePages, oldest, deleteEntry, deleteSummary: SQLiteStatement
    private let find, identify, insertEntry, putSummary, touch: SQLiteStatement

    /// Opens a file, which is empty or was made by this class.
    ///
    /// - Parameter limit: The bytes that it may take with its log.
    init(opening path: [UInt8], limit: Int) throws(SQLiteFault) {
        let connection = try SQLiteConnection(opening: path)
        let log = min(limit / 4, Self.logBytes)
        let limitPages = max(16, (limit - log) / Self.pageBytes)
        try Self.configure(connection, logPages: min(max(limitPages / 16, 16), 1024))
        self.connection = connection
        self.limitPages = limitPages
        find = try connection.statement(
            """
            SELECT entry.id, summary.size, summary.checksum, summary.value FROM entry
            JOIN summary ON summary.id = entry.id WHERE entry.key = ?1
            """)
        identify = try connection.statement("SELECT id FROM entry WHERE key = ?1")
        insertEntry = try connection.statement(
            "INSERT INTO entry (key, used) VALUES (?1, ?2) RETURNING id")
        // Whether there is one already: after a loss of power the tables may be at odds.
        putSummary = try connection.statement(
            "REPLACE INTO summary (id, size, checksum, value) VALUES (?1, ?2, ?3, ?4)")
        touch = try connection.statement("UPDATE entry SET used = ?2 WHERE id = ?1")
        oldest = try connection.statement("SELECT id FROM entry ORDER BY used LIMIT ?1")
        deleteEntry = try connection.statement("DELETE FROM entry WHERE id = ?1 RETURNING id")
        deleteSummary = try connection.statement("DELETE FROM summary WHERE id = ?1")
        pages = try connection.statement("PRAGMA page_count")
        freePages = try connection.statement("PRAGMA freelist_count")
    }

    private static func configure(
        _ connection: SQLiteConnection, logPages: Int
    ) throws(SQLiteFault) {
        guard !connection.isReadOnly else { throw .readOnly }
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        let application = try connection.number("PRAGMA application_id")
        let isNew = try connection.number("PRAGMA page_count") == 0
        let version = try connection.number("PRAGMA user_version")
        // What only a later SQLite may write is read-only by now, too.
        guard isNew || (application, version) == (Self.application, Self.version),
            !connection.isReadOnly
        else { throw .foreign }
        // Lost with the machine's power, it is made anew.
        try connection.execute("PRAGMA synchronous = OFF")
        try connection.execute("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -1024")
        if isNew {
            try connection.execute("PRAGMA page_size = \(pageBytes)")
            try connection.execute("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL")
            try create(connection)
        }
        try connection.execute("PRAGMA wal_autocheckpoint = \(logPages)")
        try connection.execute("PRAGMA journal_size_limit = \(logPages * pageBytes)")
    }

    private static func create(_ connection: SQLiteConnection) throws(SQLiteFault) {
        try connection.transaction { () throws(SQLiteFault) in
            // Apart from the summaries, so that a use changes little, and in order of age, so that
            // what is given up together lies together.
            try connection.execute(
                """
                CREATE TABLE entry (
                    id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, used INTEGER NOT NULL);
                CREATE INDEX entry_used ON entry (used);
                CREATE TABLE summary (
                    id INTEGER PRIMARY KEY, size INTEGER NOT NULL, checksum INTEGER NOT NULL,
                    value BLOB NOT NULL);
                """)
            try connection.execute("PRAGMA application_id = \(application)")
            try connection.execute("PRAGMA user_version = \(version)")
        }
    }

    /// Finds a summary, and its entry's number.
    ///
    /// One that is damaged is deleted and not found.
    func summary(for key: StoreKey) throws(SQLiteFault) -> (id: Int64, summary: StoredSummary)? {
        find.bind(key.bytes, at: 1)
        guard try find.step() else {
            find.reset()
            return nil
        }
        let id = find.number(0)
        let row = StoredSummary.Row(
            size: Int(find.number(1)), checksum: UInt32(truncatingIfNeeded: find.number(2)),
            value: find.bytes(3))
        find.reset()
        if let summary = StoredSummary(row, for: key) { return (id, summary) }
        try connection.transaction { () throws(SQLiteFault) in try remove(id) }
        return nil
    }

    /// Adds or replaces a summary, within a transaction.
    func insert(
        _ row: StoredSummary.Row, for key: StoreKey, at time: Int64
    ) throws(SQLiteFault) {
        identify.bind(key.bytes, at: 1)
        if let id = try identify.firstNumber() {
            try use(id, at: time)
            return try put(row, id)
        }
        insertEntry.bind(key.bytes, at: 1)
        insertEntry.bind(time, at: 2)
        guard let id = try insertEntry.firstNumber() else { return }
        try put(row, id)
    }

    private func put(_ row: StoredSummary.Row, _ id: Int64) throws(SQLiteFault) {
        putSummary.bind(id, at: 1)
        putSummary.bind(Int64(row.size), at: 2)
        putSummary.bind(Int64(row.checksum), at: 3)
        putSummary.bind(row.value, at: 4)
        try putSummary.run()
    }

    /// Notes when an entry was last used.
    func use(_ id: Int64, at time: Int64) throws(SQLiteFault) {
        touch.bind(id, at: 1)
        touch.bind(time, at: 2)
        try touch.run()
    }

    /// Deletes an entry and its summary, within a transaction.
    func remove(_ id: Int64) throws(SQLiteFault) {
        deleteEntry.bind(id, at: 1)
        // An index that names what is not there would name it for ever.
        guard try deleteEntry.firstNumber() != nil else { throw SQLiteFault.atOdds }
        deleteSummary.bind(id, at: 1)
        try deleteSummary.run()
    }
}

extension SQLiteFault {
    static let readOnly = SQLiteFault(.unusable, "its file can only be read")
    static let atOdds = SQLiteFault(.damaged, "its index is at odds with its table")
    static let foreign = SQLiteFault(.damaged, "its file is another program's or version's")
}
