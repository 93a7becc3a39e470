import Testing

@testable import UndertoneServer

@Suite struct ReplyQueueTests {
    private static func take(_ queue: inout ReplyQueue) -> String {
        var output: [UInt8] = []
        queue.takeReady(into: &output)
        return String(decoding: output, as: UTF8.self)
    }

    @Test func repliesComeInTheOrderOfTheRequestsWhateverTheirOwn() {
        var queue = ReplyQueue()
        let tickets = (0..<3).map { _ in queue.reserve() }
        queue.fulfil(tickets[2], with: Array("c".utf8))
        #expect(Self.take(&queue) == "")
        queue.fulfil(tickets[0], with: Array("a".utf8))
        #expect(Self.take(&queue) == "a")
        #expect(queue.inFlight == 2)
        queue.fulfil(tickets[1], with: Array("b".utf8))
        #expect(Self.take(&queue) == "bc")
        #expect(queue.inFlight == 0)
    }

    @Test func heldBytesAreThoseThatWaitForAnOlderReply() {
        var queue = ReplyQueue()
        let first = queue.reserve()
        queue.fulfil(queue.reserve(), with: [1, 2, 3])
        #expect(queue.heldBytes == 3)
        queue.fulfil(first, with: [4])
        #expect(queue.heldBytes == 4)
        _ = Self.take(&queue)
        #expect(queue.heldBytes == 0)
    }

    @Test func takenRepliesAreAppendedToWhatIsThere() {
        var queue = ReplyQueue()
        queue.fulfil(queue.reserve(), with: [2])
        var output: [UInt8] = [1]
        queue.takeReady(into: &output)
        #expect(output == [1, 2])
    }

    /// Every permutation of four replies, taken after each: always the same line order.
    @Test func everyOrderOfAnswersGivesTheOrderOfQuestions() {
        func permutations(_ rest: [Int]) -> [[Int]] {
            rest.isEmpty
                ? [[]]
                : rest.flatMap { first in
                    permutations(rest.filter { $0 != first }).map { [first] + $0 }
                }
        }
        for order in permutations([0, 1, 2, 3]) {
            var queue = ReplyQueue()
            let tickets = (0..<4).map { _ in queue.reserve() }
            var output = ""
            for index in order {
                queue.fulfil(tickets[index], with: Array("\(index)".utf8))
                output += Self.take(&queue)
            }
            #expect(output == "0123")
        }
    }

    @Test func aLongLifeDoesNotMakeItGrow() {
        var queue = ReplyQueue()
        var expected = 0
        var waiting = [queue.reserve()]
        for number in 0..<10_000 {
            waiting.append(queue.reserve())
            queue.fulfil(waiting.removeFirst(), with: Array("\(number);".utf8))
            #expect(Self.take(&queue) == "\(expected);")
            expected += 1
            #expect(queue.inFlight == 1)
        }
    }
}
