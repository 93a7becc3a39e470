import Testing
import UndertoneProtocol

@testable import UndertoneServer

@Suite struct FairQueueTests {
    private static func drained(_ queue: FairQueue<Int, String>) -> [String] {
        var queue = queue
        var result: [String] = []
        while let item = queue.popFirst() { result.append(item) }
        return result
    }

    @Test func clientsTakeTurnsAndKeepTheirOwnOrder() {
        var queue = FairQueue<Int, String>()
        for item in ["a1", "a2", "a3"] { _ = queue.append(item, client: 1, priority: .normal) }
        for item in ["b1", "b2"] { _ = queue.append(item, client: 2, priority: .normal) }
        _ = queue.append("c1", client: 3, priority: .normal)
        #expect(queue.count == 6)
        #expect(Self.drained(queue) == ["a1", "b1", "c1", "a2", "b2", "a3"])
    }

    /// However much one client has waiting, another one's single question is the next or the one
    /// after.
    @Test func aSingleQuestionOvertakesAThousand() {
        var queue = FairQueue<Int, String>()
        for number in 0..<1000 { _ = queue.append("\(number)", client: 1, priority: .normal) }
        #expect(queue.popFirst() == "0")
        _ = queue.append("mine", client: 2, priority: .normal)
        #expect(queue.popFirst() == "1")
        #expect(queue.popFirst() == "mine")
    }

    @Test func idleItemsComeOnlyWhenNobodyElseWaits() {
        var queue = FairQueue<Int, String>()
        _ = queue.append("idle 1", client: 1, priority: .idle)
        _ = queue.append("idle 2", client: 2, priority: .idle)
        _ = queue.append("normal 1", client: 1, priority: .normal)
        #expect(queue.popFirst() == "normal 1")
        #expect(queue.popFirst() == "idle 1")
        _ = queue.append("normal 2", client: 2, priority: .normal)
        #expect(queue.popFirst() == "normal 2")
        #expect(queue.popFirst() == "idle 2")
        #expect(queue.popFirst() == nil)
    }

    @Test func removedItemsNeverComeAndTheTurnGoesOn() {
        var queue = FairQueue<Int, String>()
        let first = queue.append("a1", client: 1, priority: .normal)
        _ = queue.append("a2", client: 1, priority: .normal)
        let only = queue.append("b1", client: 2, priority: .normal)
        _ = queue.append("c1", client: 3, priority: .normal)
        queue.remove(first)
        queue.remove(only)
        #expect(queue.count == 2)
        #expect(Self.drained(queue) == ["a2", "c1"])
    }

    @Test func aClientThatComesBackWaitsBehindTheOthers() {
        var queue = FairQueue<Int, String>()
        _ = queue.append("a1", client: 1, priority: .normal)
        _ = queue.append("b1", client: 2, priority: .normal)
        _ = queue.append("b2", client: 2, priority: .normal)
        #expect(queue.popFirst() == "a1")
        _ = queue.append("a2", client: 1, priority: .normal)
        #expect(Self.drained(queue) == ["b1", "a2", "b2"])
    }
}
