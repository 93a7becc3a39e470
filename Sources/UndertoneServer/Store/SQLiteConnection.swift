import CSQLite
import GLibSupport

/// Why SQLite did not do what it was asked.
struct SQLiteFault: Error, Equatable {
    /// The primary result code.
    var code: Int32
    /// SQLite's own words.
    var message: String
}

/// A database that one thread uses.
///
/// No name of a table or column comes from outside, so statements are texts.
@safe
final class SQLiteConnection {
    private let handle: OpaquePointer

    /// Opens a file that exists; nothing of it is read yet.
    init(opening path: [UInt8]) throws(SQLiteFault) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        let code = unsafe sqlite3_open_v2(path.cString, &opened, flags, nil)
        guard let handle = unsafe opened else {
            throw SQLiteFault(code: SQLITE_NOMEM, message: "out of memory")
        }
        unsafe self.handle = handle
        if code != SQLITE_OK { throw fault(code) }
    }

    deinit {
        // Whoever has replaced the file has a log of the same name by now, which is not ours to
        // delete.
        var isReplaced: Int32 = 0
        unsafe sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &isReplaced)
        if isReplaced != 0 {
            var keeps: Int32 = 1
            unsafe sqlite3_file_control(handle, nil, SQLITE_FCNTL_PERSIST_WAL, &keeps)
        }
        // Those of its statements that are left close it with the last of them.
        unsafe sqlite3_close_v2(handle)
    }

    /// Whether nothing can be written.
    var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }

    /// Runs statements without parameters; their rows are lost.
    func execute(_ text: String) throws(SQLiteFault) {
        let code = unsafe sqlite3_exec(handle, text, nil, nil, nil)
        if code != SQLITE_OK { throw fault(code) }
    }

    /// Runs a statement without parameters for the number in its first row and column.
    func number(_ text: String) throws(SQLiteFault) -> Int64 {
        try statement(text).firstNumber() ?? 0
    }

    /// Compiles a statement, to be run more than once.
    func statement(_ text: String) throws(SQLiteFault) -> SQLiteStatement {
        var compiled: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
        guard code == SQLITE_OK, let statement = unsafe compiled else { throw fault(code) }
        return unsafe SQLiteStatement(statement, of: self)
    }

    /// Runs a transaction, which is undone if its body throws.
    func transaction(
        _ body: () throws(SQLiteFault) -> Void
    ) throws(SQLiteFault) {
        try execute("BEGIN IMMEDIATE")
        do throws(SQLiteFault) {
            try body()
            try execute("COMMIT")
        } catch {
            // Some faults have undone it by themselves.
            try? execute("ROLLBACK")
            throw error
        }
    }

    fileprivate func fault(_ code: Int32) -> SQLiteFault {
        SQLiteFault(
            code: code & 0xff, message: unsafe String(cString: sqlite3_errmsg(handle)))
    }
}

/// A compiled statement, which keeps its database open.
@safe
final class SQLiteStatement {
    private let handle: OpaquePointer
    private let connection: SQLiteConnection

    fileprivate init(_ handle: OpaquePointer, of connection: SQLiteConnection) {
        unsafe self.handle = handle
        self.connection = connection
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// Begins anew: the statement has no row and lets go of what it was bound to.
    func reset() {
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
    }

    /// Sets a parameter, the first being 1.
    func bind(_ value: Int64, at index: Int32) {
        unsafe sqlite3_bind_int64(handle, index, value)
    }

    /// Sets a parameter, which SQLite copies.
    func bind(_ value: [UInt8], at index: Int32) {
        // SQLITE_TRANSIENT, a macro with a cast.
        let copies = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        unsafe sqlite3_bind_blob(handle, index, value, Int32(value.count), copies)
    }

    /// Runs the statement up to its next row.
    ///
    /// - Returns: Whether there is one.
    func step() throws(SQLiteFault) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.fault(code)
        }
    }

    /// Runs a statement that has no rows, and makes it ready for the next time.
    func run() throws(SQLiteFault) {
        defer { reset() }
        _ = try step()
    }

    /// Runs a statement for the number in its first row and column, and makes it ready for the
    /// next time.
    func firstNumber() throws(SQLiteFault) -> Int64? {
        defer { reset() }
        let number = try step() ? number(0) : nil
        // Up to its end, which is when a change is made.
        while number != nil, try step() {}
        return number
    }

    /// The number in a column of the present row.
    func number(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    /// The bytes in a column of the present row.
    func bytes(_ column: Int32) -> [UInt8] {
        guard let bytes = unsafe sqlite3_column_blob(handle, column) else { return [] }
        let count = unsafe sqlite3_column_bytes(handle, column)
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }
}
