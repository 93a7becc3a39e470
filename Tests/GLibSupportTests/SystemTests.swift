import GLibSupport
import Glibc
import TestSupport
import Testing

@Suite struct SystemTests {
    init() { MainContextThread.start() }

    @Test func signalsArriveInTheHandler() async throws {
        try await Self.signals()
    }

    @MainContext private static func signals() async throws {
        var received: [Int32] = []
        let watch = try SignalWatch([SIGWINCH, SIGURG]) { received.append($0) }
        // To this thread, where they are blocked.
        pthread_kill(pthread_self(), SIGWINCH)
        pthread_kill(pthread_self(), SIGURG)
        while received.count < 2 { await MainContext.sleep(seconds: 0.005) }
        #expect(Set(received) == [SIGWINCH, SIGURG])
        watch.cancel()
    }

    @Test func theEnvironmentIsBytesAndEmptyMeansUnset() {
        unsafe setenv("UNDERTONE_TEST_A", "b=c", 1)
        unsafe setenv("UNDERTONE_TEST_EMPTY", "", 1)
        #expect(Environment["UNDERTONE_TEST_A"] == Array("b=c".utf8))
        #expect(Environment["UNDERTONE_TEST_EMPTY"] == nil)
        #expect(Environment["UNDERTONE_TEST_UNSET"] == nil)
        let all = Environment.all(without: ["UNDERTONE_TEST"])
        #expect(all.contains(Array("UNDERTONE_TEST_A=b=c".utf8)))
        let rest = Environment.all(without: ["UNDERTONE_TEST_A"])
        #expect(!rest.contains(Array("UNDERTONE_TEST_A=b=c".utf8)))
        Environment.remove(["UNDERTONE_TEST_A", "UNDERTONE_TEST_EMPTY"])
        #expect(Environment["UNDERTONE_TEST_A"] == nil)
    }

    @Test func anAddressTakes107BytesAndNoMore() throws {
        _ = try UnixSocketAddress([UInt8](repeating: 0x61, count: 107))
        #expect(throws: SystemError(ENAMETOOLONG, "the socket's path")) {
            try UnixSocketAddress([UInt8](repeating: 0x61, count: 108))
        }
    }

    @Test func anAbstractAddressNamesNoFile() throws {
        let name = Array("@undertone-test-\(getpid())".utf8)
        let address = try UnixSocketAddress(name, abstract: true)
        let listener = try UnixSocket.stream(nonBlocking: true)
        try UnixSocket.bind(listener, to: address)
        listen(listener.number, 1)
        let client = try UnixSocket.stream(nonBlocking: false)
        try UnixSocket.connect(client, to: address)
        let accepted = try UnixSocket.accept(listener.number)
        #expect(try UnixSocket.peerUser(accepted.number) == getuid())
        #expect(fcntl(accepted.number, F_GETFD) & FD_CLOEXEC != 0)
        #expect(fcntl(accepted.number, F_GETFL) & O_NONBLOCK != 0)
    }

    @Test func nobodyWaitingIsAnErrorThatIsToldApart() throws {
        let listener = try UnixSocket.stream(nonBlocking: true)
        let name = Array("@undertone-test-empty-\(getpid())".utf8)
        try UnixSocket.bind(listener, to: UnixSocketAddress(name, abstract: true))
        listen(listener.number, 1)
        #expect(throws: SystemError(EAGAIN, "accept")) {
            _ = try UnixSocket.accept(listener.number).number
        }
    }

    @Test func timersRunOnceAndNotWhenUnscheduledOrDropped() async {
        #expect(await Self.timers().sorted() == ["a", "b"])
    }

    @MainContext private static func timers() async -> [String] {
        var fired: [String] = []
        let a = MainTimer { fired.append("a") }
        let b = MainTimer { fired.append("b") }
        let never = MainTimer { fired.append("never") }
        a.schedule(after: 0.06)
        b.schedule(after: 0.001)
        never.schedule(after: 0.02)
        #expect(never.isScheduled)
        never.unschedule()
        #expect(!never.isScheduled)
        do {
            let dropped = MainTimer { fired.append("dropped") }
            dropped.schedule(after: 0.01)
        }
        while a.isScheduled { await MainContext.sleep(seconds: 0.01) }
        await MainContext.sleep(seconds: 0.05)
        return fired
    }
}
