import Testing
import UndertoneProtocol

@testable import UndertoneServer

@Suite struct StoreQueueTests {
    private static func packed(_ count: Int) -> [UInt8] { [UInt8](repeating: 1, count: count) }

    @Test func batchesAreSmallAndInOrder() {
        var queue = StoreQueue()
        for number in 0..<100 as Range<UInt16> {
            queue.append(Self.packed(10), for: StoreFixture.key(number))
        }
        let first = queue.takeBatch()
        #expect(first.map(\.key) == (0..<UInt16(Limits.storeBatch)).map(StoreFixture.key))
        #expect(queue.count == 100 - Limits.storeBatch)
        #expect(queue.bytes == 10 * queue.count)
        queue.putBack(first)
        #expect(queue.takeBatch().map(\.key) == first.map(\.key))
        #expect(queue.takeBatch().count == 100 - Limits.storeBatch)
        #expect(queue.isEmpty && queue.bytes == 0)
        #expect(queue.takeBatch().isEmpty)
    }

    @Test func largeOnesGoAlone() {
        var queue = StoreQueue()
        for number in 0..<5 as Range<UInt16> {
            queue.append(Self.packed(Limits.storeBatchBytes), for: StoreFixture.key(number))
        }
        #expect(queue.takeBatch().count == 1)
        #expect(queue.count == 4)
    }

    @Test func itIsBounded() {
        var queue = StoreQueue()
        for number in 0..<100 as Range<UInt16> {
            queue.append(Self.packed(100_000), for: StoreFixture.key(number))
        }
        #expect(queue.count == Limits.storeQueueBytes / 100_000)
        let batch = queue.takeBatch()
        for number in 100..<200 as Range<UInt16> {
            queue.append(Self.packed(100_000), for: StoreFixture.key(number))
        }
        // There is no room any more for what could not be written.
        queue.putBack(batch)
        #expect(queue.bytes <= Limits.storeQueueBytes)
    }
}
