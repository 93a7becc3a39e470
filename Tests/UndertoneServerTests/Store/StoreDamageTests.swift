import Glibc
import TestSupport
import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneServer

@Suite struct StoreDamageTests {
    private let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
        let store = fixture.store()
        try store.insert(StoreFixture.batch(0..<300))
        store.close()
    }

    /// Asks for everything, as the daemon does: again after a fault.
    private func askForAll() throws -> [UInt16] {
        let store = fixture.store()
        var found: [UInt16] = []
        for number in 0..<300 as Range<UInt16> {
            do throws(StoreFault) {
                guard let summary = try store.summary(for: StoreFixture.key(number)) else {
                    continue
                }
                // Whatever is found is right.
                #expect(summary.packed == StoreFixture.packed(number))
                found.append(number)
            } catch {
                #expect(error.kind == .damaged)
            }
        }
        do throws(StoreFault) {
            try store.insert(StoreFixture.batch(0..<300))
        } catch {
            // Of a part that only writes look at.
            #expect(error.kind == .damaged)
            try store.insert(StoreFixture.batch(0..<300))
        }
        #expect(try StoreFixture.found(0..<300, in: store).count == 300)
        store.close()
        return found
    }

    @Test func whatIsWholeIsFound() throws {
        #expect(try askForAll().count == 300)
    }

    @Test(arguments: [0, 18, 40, 60, 100, 108, 1000, 8191, 8192, 8200, 8300, 16383])
    func aBitAnywhereNearTheBeginning(offset: Int) throws {
        try fixture.overwrite(at: offset, with: [0xa5])
        _ = try askForAll()
    }

    @Test func pagesOfNothing() throws {
        let pages = fixture.fileBytes / SummaryTable.pageBytes
        #expect(pages > 10)
        for page in 0..<pages {
            try fixture.overwrite(
                at: page * SummaryTable.pageBytes,
                with: [UInt8](repeating: 0, count: SummaryTable.pageBytes))
            _ = try askForAll()
        }
    }

    @Test(arguments: UInt64(1)...8)
    func bytesWithinSummaries(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let offset = Int.random(in: 0..<fixture.fileBytes, using: &generator)
            let byte = UInt8.random(in: 0...255, using: &generator)
            try fixture.overwrite(at: offset, with: [byte])
        }
        _ = try askForAll()
    }

    @Test(arguments: [1, 99, 100, 8191, 8193, 20000])
    func aFileThatIsCut(length: Int) throws {
        #expect(unsafe truncate(fixture.file, length) == 0)
        #expect(try askForAll().count < 300)
    }

    /// As after a loss of power, which may take one table's change and keep another's.
    @Test(arguments: [
        "DELETE FROM entry", "DELETE FROM summary", "DELETE FROM entry WHERE id % 2 = 0",
        "DELETE FROM summary WHERE id < 200",
    ])
    func tablesThatAreAtOdds(script: String) throws {
        try SQLiteConnection(opening: fixture.folder.file).execute(script)
        _ = try askForAll()
    }

    @Test func summariesThatNoEntryNamesMakeRoom() throws {
        let larger = fixture.store()
        try larger.insert(StoreFixture.batch(1000..<2000))
        larger.close()
        try SQLiteConnection(opening: fixture.folder.file).execute("DELETE FROM entry")
        // What they take is more than this store may.
        let store = fixture.store(limit: 100_000)
        #expect(fixture.fileBytes > 400_000)
        #expect(throws: StoreFault.self) { try store.insert(StoreFixture.batch(400..<404)) }
        try store.insert(StoreFixture.batch(400..<404))
        #expect(try StoreFixture.found(400..<404, in: store).count == 4)
    }

    @Test func whatIsDamagedIsClearedAtOnce() throws {
        try fixture.overwrite(at: 0, with: Array("another program's".utf8))
        let store = fixture.store()
        try store.clear()
        #expect(try store.usage().entries == 0)
        try store.insert(StoreFixture.batch(0..<3))
        #expect(try StoreFixture.found(0..<3, in: store).count == 3)
    }

    @Test func aDamagedRowIsDeleted() throws {
        let path = fixture.folder.file
        try {
            let connection = try SQLiteConnection(opening: path)
            try connection.execute("UPDATE summary SET checksum = checksum + 1 WHERE id = 3")
            try connection.execute("UPDATE summary SET size = size + 1 WHERE id = 4")
            try connection.execute("UPDATE summary SET value = x'00' WHERE id = 5")
            try connection.execute("UPDATE summary SET value = 'text' WHERE id = 6")
            try connection.execute("UPDATE summary SET size = -1 WHERE id = 7")
            // Another picture's summary, whole.
            try connection.execute(
                """
                UPDATE summary SET (size, checksum, value) =
                    (SELECT size, checksum, value FROM summary WHERE id = 20) WHERE id = 8
                """)
        }()
        let store = fixture.store()
        let found = try StoreFixture.found(0..<300, in: store)
        #expect(found == Array(0..<2) + Array(8..<300))
        #expect(try store.usage().entries == 294)
    }
}
