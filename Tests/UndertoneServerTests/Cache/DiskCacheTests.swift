import GLibSupport
import Glibc
import TestSupport
import Testing
import UndertoneProtocol

@testable import UndertoneServer

@Suite struct DiskCacheTests {
    private let fixture: StoreFixture

    init() throws {
        MainContextThread.start()
        fixture = try StoreFixture()
    }

    @Test func whatIsInsertedIsFoundByTheNextOne() async {
        await Self.remembering(fixture)
    }

    @MainContext private static func remembering(_ fixture: StoreFixture) async {
        let first = DiskCache(fixture.store(), patienceSeconds: 60)
        for number in 0..<200 as Range<UInt16> {
            #expect(await first.summary(for: SummaryCacheTests.key(number)) == nil)
            first.insert(StoreFixture.packed(number), for: SummaryCacheTests.key(number))
        }
        await first.finish()
        let second = DiskCache(fixture.store(), patienceSeconds: 60)
        for number in 0..<200 as Range<UInt16> {
            let found = await second.summary(for: SummaryCacheTests.key(number))
            #expect(found?.packed == StoreFixture.packed(number))
        }
        #expect(await second.summary(for: SummaryCacheTests.key(200)) == nil)
        #expect((second.hits, second.misses) == (200, 1))
        #expect((first.hits, first.misses) == (0, 200))
        #expect(second.state == .ready)
    }

    @Test func aDiskThatHangsIsAskedOnlyOnceUntilItAnswers() async {
        await Self.hanging(fixture)
    }

    @MainContext private static func hanging(_ fixture: StoreFixture) async {
        let cache = DiskCache(fixture.store(), patienceSeconds: 0.02)
        cache.insert(StoreFixture.packed(1), for: SummaryCacheTests.key(1))
        await cache.finish()
        let lock = HangingDisk()
        cache.run({ _ in lock.hang() }, then: { _ in })
        for _ in 0..<5 {
            #expect(await cache.summary(for: SummaryCacheTests.key(1)) == nil)
            #expect(cache.state == .stalled)
        }
        // Nobody waits for it, not even who wants to know about it or end it.
        #expect(await cache.report().entries == nil)
        #expect(await cache.report().state == .stalled)
        cache.insert(StoreFixture.packed(2), for: SummaryCacheTests.key(2))
        #expect(cache.queue.isEmpty)
        await cache.finish()
        lock.letGo()
        while cache.state == .stalled { await MainContext.sleep(seconds: 0.001) }
        let found = await DiskCacheTests.patiently(cache, SummaryCacheTests.key(1))
        #expect(found?.packed == StoreFixture.packed(1))
    }

    /// Asks until the disk has answered in time; by then it may be too late for the answer.
    @MainContext private static func patiently(
        _ cache: DiskCache, _ key: DecodeSchedule.Key
    ) async -> StoredSummary? {
        for _ in 0..<1000 {
            if let found = await cache.summary(for: key) { return found }
            await MainContext.sleep(seconds: 0.01)
        }
        return nil
    }

    @Test func manyAtOnceAreNotTakenForAHang() async {
        await Self.crowding(fixture)
    }

    @MainContext private static func crowding(_ fixture: StoreFixture) async {
        let cache = DiskCache(fixture.store(), patienceSeconds: 60)
        for number in 0..<50 as Range<UInt16> {
            cache.insert(StoreFixture.packed(number), for: SummaryCacheTests.key(number))
        }
        await cache.finish()
        let found = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<1000 as Range<UInt16> {
                let operation: @Sendable @MainContext () async -> Bool = {
                    await cache.summary(for: SummaryCacheTests.key(number % 100)) != nil
                }
                group.addTask(operation: operation)
            }
            var found = 0
            for await isFound in group where isFound { found += 1 }
            return found
        }
        #expect(found == 500)
        #expect((cache.hits, cache.misses) == (500, 500))
    }

    @Test func withoutAStoreNothingIsKept() async {
        await Self.keepingNothing()
    }

    @MainContext private static func keepingNothing() async {
        let cache = DiskCache(nil)
        #expect(cache.state == .off)
        cache.insert(StoreFixture.packed(1), for: SummaryCacheTests.key(1))
        #expect(cache.queue.isEmpty)
        #expect(await cache.summary(for: SummaryCacheTests.key(1)) == nil)
        #expect((cache.hits, cache.misses) == (0, 0))
        let report = await cache.report()
        #expect(report == CacheReport.Disk())
        await cache.finish()
    }

    @Test func clearingForgetsWhatWaitsToo() async {
        await Self.clearing(fixture)
    }

    @MainContext private static func clearing(_ fixture: StoreFixture) async {
        let cache = DiskCache(fixture.store(), patienceSeconds: 60)
        for number in 0..<10 as Range<UInt16> {
            cache.insert(StoreFixture.packed(number), for: SummaryCacheTests.key(number))
        }
        await cache.finish()
        #expect(await cache.report().entries == 10)
        cache.insert(StoreFixture.packed(11), for: SummaryCacheTests.key(11))
        guard case .success = await cache.clear() else {
            Issue.record("it cannot be cleared")
            return
        }
        await cache.finish()
        #expect(await cache.report().entries == 0)
    }
}

/// A disk that keeps whoever asks it waiting, until it is let go.
@safe
private final class HangingDisk: Sendable {
    private nonisolated(unsafe) let lock: UnsafeMutablePointer<sem_t>

    init() {
        unsafe lock = .allocate(capacity: 1)
        unsafe sem_init(lock, 0, 0)
    }

    func hang() { unsafe sem_wait(lock) }
    func letGo() { unsafe sem_post(lock) }

    deinit {
        unsafe sem_destroy(lock)
        unsafe lock.deallocate()
    }
}
