import GLibSupport
import Glibc
import TestSupport
import Testing

@Suite struct MainContextTests {
    init() { MainContextThread.start() }

    @MainContext private static func thread() -> UInt { UInt(pthread_self()) }

    @MainContext private static func threadAfterYielding() async -> UInt {
        await Task.yield()
        return thread()
    }

    @Test func everythingRunsOnOneThread() async {
        let first = await Self.thread()
        await withTaskGroup(of: UInt.self) { group in
            for _ in 0..<50 {
                group.addTask { await Self.threadAfterYielding() }
            }
            for await thread in group { #expect(thread == first) }
        }
    }

    @Test func jobsFromManyThreadsAllRun() async {
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 1...2000 {
                group.addTask { await Self.echo(number) }
            }
            return await group.reduce(0, +)
        }
        #expect(sum == 2000 * 2001 / 2)
    }

    @MainContext private static func echo(_ number: Int) -> Int { number }

    @Test func jobsThatMakeJobsDoNotStarveTimers() async {
        #expect(await Self.timerFiresAmongJobs())
    }

    /// Yields again and again until a timer of 10 ms fires, and tells whether it did.
    ///
    /// Counted in jobs, not in seconds: the machine may be busy, and a starved timer never fires.
    @MainContext private static func timerFiresAmongJobs() async -> Bool {
        var fired = false
        let timer = MainTimer { fired = true }
        timer.schedule(after: 0.01)
        for _ in 0..<3_000_000 where !fired { await Task.yield() }
        return fired
    }

    @Test func sleepingTakesTimeAndEndsWhenCancelled() async {
        let elapsed = await Self.sleeping(seconds: 0.03)
        #expect(elapsed >= 0.03)
        let task = Task { @MainContext in await Self.sleeping(seconds: 60) }
        task.cancel()
        #expect(await task.value < 10)
    }

    @MainContext private static func sleeping(seconds: Double) async -> Double {
        let start = MainContext.now
        await MainContext.sleep(seconds: seconds)
        return MainContext.now - start
    }
}
