import Testing
import UndertoneProtocol

@testable import UndertoneServer

@Suite struct SettlingTests {
    @Test func nothingIsDueBeforeAChange() {
        #expect(Settling().due == nil)
        #expect(Settling().isQuiet(at: 0))
    }

    @Test func aChangeIsDueAfterAMomentsQuiet() {
        var settling = Settling()
        settling.note(at: 100)
        #expect(settling.due == 100 + Limits.watchQuietSeconds)
        settling.note(at: 100.05)
        #expect(settling.due == 100.05 + Limits.watchQuietSeconds)
    }

    @Test func aBurstIsDueOnceAndNotForeverLater() {
        var settling = Settling()
        // A thousand changes, closer together than a moment, for ten seconds.
        for step in 0..<1000 { settling.note(at: 100 + Double(step) / 100) }
        #expect(settling.due == 100 + Limits.watchBurstSeconds)
        #expect(!settling.isQuiet(at: 110))
        #expect(settling.isQuiet(at: 110 + Limits.watchQuietSeconds))
    }

    @Test func theBoundIsBeyondTheQuiet() {
        #expect(Limits.watchBurstSeconds > 2 * Limits.watchQuietSeconds)
    }
}
