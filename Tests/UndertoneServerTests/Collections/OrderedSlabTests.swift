import TestSupport
import Testing

@testable import UndertoneServer

@Suite struct OrderedSlabTests {
    private static func drained(_ slab: OrderedSlab<Int>) -> [Int] {
        var slab = slab
        var result: [Int] = []
        while let element = slab.removeFirst() { result.append(element) }
        return result
    }

    @Test func elementsComeInTheOrderInWhichTheyWereAppended() {
        var slab = OrderedSlab<Int>()
        for number in 1...5 { _ = slab.append(number) }
        #expect(slab.count == 5)
        #expect(slab.first == 1)
        #expect(Self.drained(slab) == [1, 2, 3, 4, 5])
    }

    @Test func anElementCanBeRemovedFromEitherEndAndFromTheMiddle() {
        var slab = OrderedSlab<Int>()
        let handles = (0..<5).map { slab.append($0) }
        #expect(slab.remove(handles[2]) == 2)
        #expect(slab.remove(handles[0]) == 0)
        #expect(slab.remove(handles[4]) == 4)
        #expect(Self.drained(slab) == [1, 3])
    }

    @Test func movingToTheEndKeepsTheOthersInOrder() {
        var slab = OrderedSlab<Int>()
        let handles = (0..<4).map { slab.append($0) }
        slab.moveToEnd(handles[0])
        slab.moveToEnd(handles[2])
        slab.moveToEnd(handles[2])
        #expect(Self.drained(slab) == [1, 3, 0, 2])
    }

    @Test func anEmptySlabHasNothing() {
        var slab = OrderedSlab<Int>()
        #expect(slab.isEmpty)
        #expect(slab.first == nil)
        #expect(slab.removeFirst() == nil)
        slab.remove(slab.append(7))
        #expect(slab.isEmpty)
        #expect(slab.first == nil)
    }

    /// Against an array, which is slow but plainly right.
    @Test func itAgreesWithAnArrayOverManyRandomOperations() {
        var random = SeededGenerator(seed: 1)
        var slab = OrderedSlab<Int>()
        var model: [(handle: Int, value: Int)] = []
        for step in 0..<5000 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                model.append((slab.append(step), step))
            case 2 where !model.isEmpty:
                let index = Int.random(in: model.indices, using: &random)
                let (handle, value) = model.remove(at: index)
                #expect(slab.remove(handle) == value)
            case 3 where !model.isEmpty:
                let index = Int.random(in: model.indices, using: &random)
                let moved = model.remove(at: index)
                model.append(moved)
                slab.moveToEnd(moved.handle)
            default: break
            }
            #expect(slab.count == model.count)
            #expect(slab.first == model.first?.value)
        }
        #expect(Self.drained(slab) == model.map(\.value))
    }
}
