import Glibc
import Synchronization
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneServer

/// A store in a directory of its own, which goes with it.
final class StoreFixture: Sendable {
    let directory: String
    let folder: StoreFolder
    /// What the clock shows.
    private let time = Atomic<Int64>(0)

    init() throws {
        directory = try TestDaemon.makeDirectory()
        folder = StoreFolder(path: Array((directory + "/undertone").utf8))
    }

    deinit {
        for name in folder.files { unsafe unlink(name.map(CChar.init(bitPattern:)) + [0]) }
        unsafe rmdir(directory + "/undertone")
        unsafe rmdir(directory)
    }

    /// The database's path.
    var file: String { directory + "/undertone/summaries.sqlite" }

    /// The bytes that the database takes.
    var fileBytes: Int {
        var status = stat()
        return unsafe stat(file, &status) == 0 ? Int(status.st_size) : 0
    }

    /// A store whose every look at the clock is later than the one before.
    func store(limit: Int = 64 << 20) -> SummaryStore {
        SummaryStore(in: folder, limit: limit) {
            self.time.add(1, ordering: .relaxed).newValue
        }
    }

    /// Summaries to be stored, one for each number.
    static func batch(_ numbers: Range<UInt16>) -> SummaryStore.Batch {
        numbers.map { (key($0), packed($0)) }
    }

    private static let summaries = (0..<16 as Range<UInt16>).map {
        SummaryCacheTests.summary(grey: $0 * 16)
    }

    /// The key of the summary with a number.
    static func key(_ number: UInt16) -> StoreKey {
        StoreKey(SummaryCacheTests.key(number))!
    }

    /// The summary with a number, as a decoder sends it.
    static func packed(_ number: UInt16) -> [UInt8] {
        var summary = summaries[Int(number) % summaries.count]
        summary.identityBefore = SummaryCacheTests.identity(UInt64(number))
        summary.identityAfter = summary.identityBefore
        return summary.encoded()
    }

    /// Which of some numbers a store finds.
    static func found(_ numbers: Range<UInt16>, in store: SummaryStore) throws -> [UInt16] {
        try numbers.filter { number in
            let found = try store.summary(for: key(number))
            guard let found else { return false }
            return found == StoredSummary(packed: packed(number), regions: 0)
        }
    }

    /// Changes bytes of the database.
    func overwrite(at offset: Int, with bytes: [UInt8]) throws {
        let number = unsafe open(file, O_RDWR | O_CLOEXEC)
        guard number >= 0 else { throw TestFailure("cannot open \(file)") }
        defer { close(number) }
        unsafe pwrite(number, bytes, bytes.count, off_t(offset))
    }
}
