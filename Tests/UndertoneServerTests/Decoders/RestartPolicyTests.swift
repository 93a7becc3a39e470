import Testing
import UndertoneProtocol

@testable import UndertoneServer

@Suite struct RestartPolicyTests {
    @Test func oneThatDidWellIsStartedAgainAtOnce() {
        var policy = RestartPolicy()
        for start in stride(from: 0.0, to: 1000, by: 100) {
            policy.noteStart(at: start)
            policy.noteReady()
            #expect(policy.noteEnd(at: start + 60) == 0)
        }
        #expect(!policy.isFailing)
    }

    @Test func oneThatKeepsDyingWaitsLongerEachTimeUpToABound() {
        var policy = RestartPolicy()
        var delays: [Double] = []
        for start in 0..<12 {
            policy.noteStart(at: Double(start))
            delays.append(policy.noteEnd(at: Double(start) + 0.1))
        }
        #expect(Array(delays.prefix(5)) == [0, 0.05, 0.1, 0.2, 0.4])
        #expect(delays.last == Limits.restartSeconds)
        #expect(zip(delays, delays.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test func waitingIsInVainAfterThreeThatWereNeverReady() {
        var policy = RestartPolicy()
        for number in 1...3 {
            #expect(!policy.isFailing)
            policy.noteStart(at: Double(number))
            _ = policy.noteEnd(at: Double(number))
        }
        #expect(policy.isFailing)
        policy.noteStart(at: 4)
        #expect(policy.isFailing)
        policy.noteReady()
        #expect(!policy.isFailing)
    }

    @Test func earlyDeathsAfterBeingReadyAreSlowedDownButNotInVain() {
        var policy = RestartPolicy()
        var delay = 0.0
        for number in 1...10 {
            policy.noteStart(at: Double(number))
            policy.noteReady()
            delay = policy.noteEnd(at: Double(number) + 0.5)
        }
        #expect(delay == Limits.restartSeconds)
        #expect(!policy.isFailing)
    }

    @Test func aLongLifeEndsThePenance() {
        var policy = RestartPolicy()
        for number in 1...5 {
            policy.noteStart(at: Double(number))
            _ = policy.noteEnd(at: Double(number))
        }
        policy.noteStart(at: 10)
        policy.noteReady()
        #expect(policy.noteEnd(at: 30) == 0)
        policy.noteStart(at: 30)
        #expect(policy.noteEnd(at: 31) == 0)
        policy.noteStart(at: 31)
        #expect(policy.noteEnd(at: 32) == 0.05)
    }
}
