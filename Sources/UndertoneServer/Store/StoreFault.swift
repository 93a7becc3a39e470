import CSQLite

/// Why the store cannot be used now.
struct StoreFault: Error, Equatable {
    /// What can be done about it.
    enum Kind: Equatable {
        /// Another daemon has the file.
        case busy
        /// There is no room for more.
        case full
        /// The file is no store, or not one of this version: it can be made anew.
        case damaged
        /// Nothing but to wait until the disk or the directory is another.
        case unusable
    }

    var kind: Kind
    /// For the log, without a full stop.
    var message: String
}

extension SQLiteFault {
    /// A fault that SQLite itself does not see.
    init(_ kind: StoreFault.Kind, _ message: String) {
        let code =
            switch kind {
            case .busy: SQLITE_BUSY
            case .full: SQLITE_FULL
            case .damaged: SQLITE_NOTADB
            case .unusable: SQLITE_READONLY
            }
        self.init(code: code, message: message)
    }
}

extension StoreFault {
    /// What a fault of SQLite means for the store.
    init(_ fault: SQLiteFault) {
        let kind: Kind =
            switch fault.code {
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_FULL: .full
            // An error is a table that is not there, since every statement is known.
            case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_SCHEMA:
                .damaged
            default: .unusable
            }
        self.init(kind: kind, message: fault.message)
    }
}

/// Runs calls of SQLite in the store's own terms.
func storing<Result>(
    _ body: () throws(SQLiteFault) -> Result
) throws(StoreFault) -> Result {
    do throws(SQLiteFault) {
        return try body()
    } catch {
        throw StoreFault(error)
    }
}
