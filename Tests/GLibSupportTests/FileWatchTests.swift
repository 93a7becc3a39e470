import GLibSupport
import Glibc
import TestSupport
import Testing

@Suite struct FileWatchTests {
    init() { MainContextThread.start() }

    @Test func readinessIsToldOnceThereIsSomethingToRead() async throws {
        try await Self.readiness()
    }

    @MainContext private static func readiness() async throws {
        let (ours, theirs) = try UnixSocket.packetPair()
        var told: [FileWatch.Events] = []
        let watch = try FileWatch(ours.number, for: .readable) { events in
            told.append(events)
            var byte: UInt8 = 0
            unsafe _ = recv(ours.number, &byte, 1, 0)
        }
        await MainContext.sleep(seconds: 0.02)
        #expect(told.isEmpty)
        unsafe _ = send(theirs.number, "a", 1, 0)
        await MainContext.wait { !told.isEmpty }
        #expect(told == [.readable])

        watch.interest = []
        unsafe _ = send(theirs.number, "b", 1, 0)
        await MainContext.sleep(seconds: 0.02)
        #expect(told.count == 1)
        watch.interest = .readable
        #expect(await MainContext.wait { told.count == 2 })
        watch.cancel()
        watch.cancel()
    }

    @Test func hangingUpIsToldEvenWithoutInterest() async throws {
        try await Self.hangingUp()
    }

    @MainContext private static func hangingUp() async throws {
        var pair = Optional(try UnixSocket.packetPair())
        let ours = try #require(pair?.0)
        var told: FileWatch.Events?
        var watch: FileWatch?
        watch = try FileWatch(ours.number, for: []) { events in
            told = events
            watch?.cancel()
            // Its handler holds it.
            watch = nil
        }
        pair = nil
        await MainContext.wait { told != nil }
        #expect(told?.contains(.hungUp) == true)
    }

    /// Both descriptors are ready in one round; whichever handler runs first cancels the other
    /// watch, and a third watch takes its slot.
    @Test func aCancelledWatchIsSilentThoughItsEventWasFetched() async throws {
        try await Self.cancelling()
    }

    @MainContext private static func cancelling() async throws {
        let (first, firstPeer) = try UnixSocket.packetPair()
        let (second, secondPeer) = try UnixSocket.packetPair()
        let (third, thirdPeer) = try UnixSocket.packetPair()
        unsafe _ = send(firstPeer.number, "a", 1, 0)
        unsafe _ = send(secondPeer.number, "b", 1, 0)
        var calls = 0
        var strays = 0
        var watches: [FileWatch] = []
        let handler: FileWatch.Handler = { _ in
            calls += 1
            for watch in watches { watch.cancel() }
            do throws(SystemError) {
                watches = [try FileWatch(third.number, for: .readable) { _ in strays += 1 }]
            } catch { Issue.record("\(error)") }
        }
        watches = [
            try FileWatch(first.number, for: .readable, handler: handler),
            try FileWatch(second.number, for: .readable, handler: handler),
        ]
        await MainContext.wait { calls > 0 }
        // Time for what must not come.
        await MainContext.sleep(seconds: 0.05)
        #expect(calls == 1)
        #expect(strays == 0)
        for watch in watches { watch.cancel() }
        withExtendedLifetime(thirdPeer) {}
    }

    @Test func aDescriptorThatIsClosedAtOnceLeavesItsNumberToTheNext() async throws {
        try await Self.reusing()
    }

    @MainContext private static func reusing() async throws {
        var told: [Int32] = []
        var numbers: Set<Int32> = []
        var rounds = 0
        // Other tests open descriptors meanwhile, so the next number may have to be waited for.
        while rounds < 10 || numbers.count == rounds, rounds < 1000 {
            rounds += 1
            var pair = Optional(try UnixSocket.packetPair())
            let number = try #require(pair?.0.number)
            numbers.insert(number)
            let watch = try FileWatch(number, for: .readable) { _ in
                told.append(number)
                var byte: UInt8 = 0
                unsafe _ = recv(number, &byte, 1, 0)
            }
            unsafe _ = try send(#require(pair?.1.number), "a", 1, 0)
            try #require(await MainContext.wait { told.count == rounds })
            // What comes now is told to nobody, and closing leaves nothing in the kernel's set.
            unsafe _ = try send(#require(pair?.1.number), "b", 1, 0)
            watch.cancelByClosing()
            watch.cancel()
            pair = nil
        }
        await MainContext.sleep(seconds: 0.02)
        #expect(told.count == rounds)
        #expect(numbers.count < rounds)
    }

    @Test func aRoundIsClosedOnceAllThatAreReadyWereServed() async throws {
        try await Self.closing()
    }

    @MainContext private final class Closer: FileWatch.RoundCloser {
        var served: [Int32] = []
        /// How many had been served at each call.
        var closed: [Int] = []

        func closeRound() { closed.append(served.count) }
    }

    @MainContext private static func closing() async throws {
        let pairs = try (0..<3).map { _ in try UnixSocket.packetPair() }
        let closer = Closer()
        let watches = try pairs.map { pair throws(SystemError) in
            try FileWatch(pair.0.number, for: .readable) { _ in
                var byte: UInt8 = 0
                unsafe _ = recv(pair.0.number, &byte, 1, 0)
                closer.served.append(pair.0.number)
                if closer.served.count == 1 { FileWatch.tellRoundsEnd(to: closer) }
            }
        }
        for pair in pairs { unsafe _ = send(pair.1.number, "a", 1, 0) }
        await MainContext.wait { !closer.closed.isEmpty }
        #expect(Set(closer.served) == Set(pairs.map(\.0.number)))
        #expect(closer.closed == [3])
        for watch in watches { watch.cancel() }
        // This job may run in a round that another test's descriptor began, and the closer would
        // be told at its end; GLib calls a timer's handler in none.
        var closedAtOnce: [Int]?
        let timer = MainTimer {
            FileWatch.tellRoundsEnd(to: closer)
            closedAtOnce = closer.closed
        }
        timer.schedule(after: 0)
        await MainContext.wait { closedAtOnce != nil }
        #expect(closedAtOnce == [3, 3])
    }

    @Test func aRegularFileCannotBeWatched() async throws {
        let number = unsafe open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
        let file = SharedDescriptor(Descriptor(owning: number))
        await #expect(throws: SystemError(EPERM, "epoll_ctl")) {
            try await Self.watch(file.number)
        }
    }

    @MainContext private static func watch(_ number: Int32) throws {
        _ = try FileWatch(number, for: .readable) { _ in }
    }
}
