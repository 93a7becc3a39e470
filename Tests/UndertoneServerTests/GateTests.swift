import GLibSupport
import TestSupport
import Testing

@testable import UndertoneServer

@Suite struct GateTests {
    init() { MainContextThread.start() }

    @Test func everybodyWaitsUntilItOpens() async {
        let (before, after) = await Self.passed()
        #expect(before == 0)
        #expect(after == 3)
    }

    @Test func whoIsCancelledWaitsNoLonger() async {
        let isOpen = await Self.isOpenAfterCancelledWait()
        #expect(!isOpen)
    }

    /// How many got through before it opened, and after.
    @MainContext private static func passed() async -> (before: Int, after: Int) {
        let gate = Gate()
        var passed = 0
        let tasks = (0..<2).map { _ in
            MainContext.start {
                await gate.wait()
                passed += 1
            }
        }
        await MainContext.sleep(seconds: 0.02)
        let before = passed
        gate.open()
        for task in tasks { await task.value }
        // Those who come later do not wait at all.
        await gate.wait()
        return (before, passed + 1)
    }

    @MainContext private static func isOpenAfterCancelledWait() async -> Bool {
        let gate = Gate()
        let task = MainContext.start { await gate.wait() }
        await MainContext.sleep(seconds: 0.02)
        task.cancel()
        await task.value
        return gate.isOpen
    }
}
