import Testing

@testable import UndertoneServer

@Suite struct BoundedCacheTests {
    @Test func valuesAreFoundAndReplaced() {
        var cache = BoundedCache<String, Int>(limit: 10)
        cache.insert(1, for: "a", cost: 4)
        cache.insert(2, for: "a", cost: 5)
        #expect(cache.value(for: "a") == 2)
        #expect(cache.value(for: "b") == nil)
        #expect(cache.cost == 5)
        #expect(cache.count == 1)
    }

    @Test func whatWasNotAskedForTheLongestGoesFirst() {
        var cache = BoundedCache<String, Int>(limit: 3)
        for (number, key) in ["a", "b", "c"].enumerated() {
            cache.insert(number, for: key, cost: 1)
        }
        _ = cache.value(for: "a")
        cache.insert(3, for: "d", cost: 1)
        #expect(cache.value(for: "b") == nil)
        #expect(cache.value(for: "a") == 0)
        #expect(cache.value(for: "c") == 2)
        #expect(cache.value(for: "d") == 3)
    }

    @Test func theLimitIsReachedButNeverPassed() {
        var cache = BoundedCache<Int, Int>(limit: 100)
        for number in 0..<1000 {
            cache.insert(number, for: number, cost: 1 + number % 7)
            #expect(cache.cost <= 100)
        }
        cache.insert(0, for: -1, cost: 100)
        #expect(cache.cost == 100)
        #expect(cache.count == 1)
    }

    @Test func aValueAboveTheLimitIsNotKeptAndDropsItsPredecessor() {
        var cache = BoundedCache<String, Int>(limit: 10)
        cache.insert(1, for: "a", cost: 1)
        cache.insert(2, for: "b", cost: 1)
        cache.insert(3, for: "a", cost: 11)
        #expect(cache.value(for: "a") == nil)
        #expect(cache.value(for: "b") == 2)
        #expect(cache.cost == 1)
    }

    @Test func aCacheOfNoBytesKeepsNothing() {
        var cache = BoundedCache<String, Int>(limit: 0)
        cache.insert(1, for: "a", cost: 1)
        #expect(cache.value(for: "a") == nil)
        #expect(cache.count == 0)
    }

    @Test func chargingForGrowthForgetsOthersButNotMoreThanItMust() {
        var cache = BoundedCache<String, Int>(limit: 10)
        cache.insert(1, for: "a", cost: 4)
        cache.insert(2, for: "b", cost: 4)
        cache.charge(2, for: "b")
        #expect(cache.count == 2)
        cache.charge(1, for: "b")
        #expect(cache.value(for: "a") == nil)
        #expect(cache.cost == 7)
        cache.charge(100, for: "missing")
        #expect(cache.cost == 7)
        cache.charge(100, for: "b")
        #expect(cache.count == 0)
        #expect(cache.cost == 0)
    }
}
