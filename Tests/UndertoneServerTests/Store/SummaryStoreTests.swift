import Glibc
import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneServer

@Suite struct SummaryStoreTests {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    @Test func whatWasStoredIsFoundAndNothingElse() throws {
        let store = fixture.store()
        try store.insert(StoreFixture.batch(0..<40))
        #expect(try StoreFixture.found(0..<60, in: store) == Array(0..<40))
        store.close()
        #expect(try StoreFixture.found(0..<60, in: fixture.store()) == Array(0..<40))
    }

    @Test func everyPartOfTheKeyCounts() throws {
        let store = fixture.store()
        let known = SummaryCacheTests.key(7)
        let identity = try #require(known.identity)
        try store.insert(StoreFixture.batch(7..<8))
        var others: [DecodeSchedule.Key] = []
        for change: WritableKeyPath<FileIdentity, UInt64> in [\.device, \.inode, \.size] {
            var other = identity
            other[keyPath: change] += 1
            others.append(DecodeSchedule.Key(known.job, identity: other))
        }
        for change: WritableKeyPath<FileIdentity, Int64> in [\.modified, \.changed] {
            var other = identity
            other[keyPath: change] -= 1
            others.append(DecodeSchedule.Key(known.job, identity: other))
        }
        for sampling in [Sampling.exact, .thumbnail] {
            let job = DecodeJob(path: [0x2f], sampling: sampling)
            others.append(DecodeSchedule.Key(job, identity: identity))
        }
        let backdrop = DecodeJob(path: [0x2f], backdrop: .black)
        others.append(DecodeSchedule.Key(backdrop, identity: identity))
        let region = RegionRectangle(x: 0, y: 0, width: 1, height: 0.5)
        let regions = DecodeJob(path: [0x2f], regions: [region])
        others.append(DecodeSchedule.Key(regions, identity: identity))
        for other in others {
            let key = try #require(StoreKey(other))
            #expect(try store.summary(for: key) == nil)
        }
        // Another path to the same file is the same.
        let elsewhere = DecodeSchedule.Key(DecodeJob(path: [0x2f, 0x61]), identity: identity)
        let key = try #require(StoreKey(elsewhere))
        #expect(try store.summary(for: key) != nil)
        #expect(StoreKey(DecodeSchedule.Key(known.job, identity: nil)) == nil)
        // Of a file system that knows hundredths of a second at best.
        var coarse = identity
        coarse.changed = 1_790_000_000_250_000_000
        #expect(StoreKey(DecodeSchedule.Key(known.job, identity: coarse)) == nil)
    }

    @Test func whatIsStoredAgainReplacesTheFirst() throws {
        let store = fixture.store()
        try store.insert(StoreFixture.batch(3..<4))
        var other = try ImageSummary(validating: StoreFixture.packed(3))
        other.image.width = 77
        try store.insert([(StoreFixture.key(3), other.encoded())])
        let found = try #require(try store.summary(for: StoreFixture.key(3)))
        #expect(found.packed == other.encoded())
        #expect(try store.usage().entries == 1)
    }

    @Test func whatWasNotUsedForTheLongestGoesFirst() throws {
        let store = fixture.store(limit: 1 << 20)
        try store.insert(StoreFixture.batch(0..<64))
        for first in stride(from: 64, to: 4096, by: 64) as StrideTo<UInt16> {
            // The first ten are used again and again.
            #expect(try StoreFixture.found(0..<10, in: store).count == 10)
            try store.insert(StoreFixture.batch(first..<first + 64))
        }
        let kept = try StoreFixture.found(0..<4096, in: store)
        #expect(kept.prefix(10) == ArraySlice(0..<10 as Range<UInt16>))
        let rest = Array(kept.dropFirst(10))
        #expect(rest.count > 100)
        #expect(rest == Array(4096 - UInt16(rest.count)..<4096))
        store.close()
        #expect(fixture.fileBytes <= 1 << 20)
        #expect(fixture.fileBytes > 1 << 19)
    }

    @Test func usesOutliveTheStore() throws {
        let first = fixture.store(limit: 1 << 20)
        for number in stride(from: 0, to: 512, by: 64) as StrideTo<UInt16> {
            try first.insert(StoreFixture.batch(number..<number + 64))
        }
        #expect(try StoreFixture.found(0..<1, in: first) == [0])
        first.close()
        let second = fixture.store(limit: 1 << 20)
        // Until the first of them are given up.
        var number: UInt16 = 512
        while try second.usage().entries == Int(number), number < 32768 {
            try second.insert(StoreFixture.batch(number..<number + 64))
            number += 64
        }
        #expect(try StoreFixture.found(0..<3, in: second) == [0])
    }

    @Test func aLowerLimitIsReachedBitByBit() throws {
        let first = fixture.store()
        for number in stride(from: 0, to: 8192, by: 64) as StrideTo<UInt16> {
            try first.insert(StoreFixture.batch(number..<number + 64))
        }
        first.close()
        #expect(fixture.fileBytes > 2 << 20)
        let second = fixture.store(limit: 1 << 20)
        _ = try second.usage()
        var turns = 0
        while try !second.trim(), turns < 100 { turns += 1 }
        #expect((2..<100).contains(turns))
        #expect(try StoreFixture.found(8191..<8192, in: second) == [8191])
        second.close()
        #expect(fixture.fileBytes <= 1 << 20)
    }

    @Test func clearingLeavesNothing() throws {
        let store = fixture.store()
        try store.insert(StoreFixture.batch(0..<512))
        let full = try store.usage()
        #expect(full.entries == 512)
        try store.clear()
        let empty = try store.usage()
        #expect(empty.entries == 0)
        #expect(empty.bytes < full.bytes / 4)
        #expect(try StoreFixture.found(0..<512, in: store).isEmpty)
        try store.insert(StoreFixture.batch(0..<1))
        #expect(try StoreFixture.found(0..<2, in: store) == [0])
    }

    @Test func anotherStoreWaitsUntilTheFirstLetsGo() throws {
        let first = fixture.store()
        let second = fixture.store()
        try first.insert(StoreFixture.batch(0..<1))
        #expect(throws: StoreFault.self) { try second.summary(for: StoreFixture.key(0)) }
        do throws(StoreFault) {
            try second.clear()
            Issue.record("what another one has is not deleted")
        } catch {
            #expect(error.kind == .busy)
        }
        #expect(try StoreFixture.found(0..<1, in: first) == [0])
        first.close()
        #expect(try StoreFixture.found(0..<1, in: second) == [0])
    }

    @Test func aFileThatIsDeletedMeanwhileHarmsNobody() throws {
        let first = fixture.store()
        try first.insert(StoreFixture.batch(0..<1))
        for name in fixture.folder.files { unsafe unlink(name.map(CChar.init(bitPattern:)) + [0]) }
        let second = fixture.store()
        try second.insert(StoreFixture.batch(1..<2))
        try first.insert(StoreFixture.batch(2..<3))
        // It closes a log whose name is the other one's by now.
        first.close()
        try second.insert(StoreFixture.batch(3..<4))
        second.close()
        #expect(try StoreFixture.found(0..<9, in: fixture.store()) == [1, 3])
    }
}
