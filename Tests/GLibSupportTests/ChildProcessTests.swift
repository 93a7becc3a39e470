import Glibc
import TestSupport
import Testing

@testable import GLibSupport

@Suite struct ChildProcessTests {
    init() { MainContextThread.start() }

    @Test(arguments: [
        ("exit 0", ChildProcess.Ending.exited(0)), ("exit 7", .exited(7)),
        ("kill -9 $$", .signalled(SIGKILL)), ("kill -TERM $$", .signalled(SIGTERM)),
    ])
    func theEndingIsTold(script: String, ending: ChildProcess.Ending) async throws {
        #expect(try await Self.run(script) == ending)
    }

    /// The mask and the ignored signals of this process must not reach the child.
    @Test func blockedSignalsAreUnblockedInTheChild() async throws {
        let script = "grep -q 'SigBlk:.*0000000000000000' /proc/self/status"
        #expect(try await Self.run(script, blocking: SIGUSR2) == .exited(0))
    }

    @Test func theChildGetsTheNamedDescriptorAndNotItsPeer() async throws {
        let (ours, theirs) = try UnixSocket.packetPair()
        let script = "echo x >&9 && test ! -e /proc/self/fd/\(ours.number)"
        let ending = try await Self.run(script, descriptors: [(theirs.number, 9)])
        #expect(ending == .exited(0))
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(unsafe recv(ours.number, &bytes, 8, Int32(MSG_DONTWAIT)) == 2)
    }

    /// Each one's source is the other one's target.
    @Test func descriptorsCanBeExchanged() async throws {
        let (a, aPeer) = try UnixSocket.packetPair()
        let (b, bPeer) = try UnixSocket.packetPair()
        let script = "printf a >&\(b.number); printf b >&\(a.number)"
        let ending = try await Self.run(
            script, descriptors: [(a.number, b.number), (b.number, a.number)])
        #expect(ending == .exited(0))
        var byte: UInt8 = 0
        #expect(unsafe recv(aPeer.number, &byte, 1, Int32(MSG_DONTWAIT)) == 1)
        #expect(byte == UInt8(ascii: "a"))
        #expect(unsafe recv(bPeer.number, &byte, 1, Int32(MSG_DONTWAIT)) == 1)
        #expect(byte == UInt8(ascii: "b"))
    }

    @Test func aMissingProgramIsAnError() async {
        await #expect(throws: SystemError(ENOENT, "posix_spawn")) {
            try await Self.start("/nonexistent/program")
        }
    }

    @Test func aChildThatCannotBeWatchedIsEndedAndReaped() async throws {
        let failure = SystemError(ENOSPC, "epoll_ctl")
        let child = try await Self.unwatched(failingWith: failure)
        // The kernel knows no such child any more, not even a dead one.
        #expect(waitpid(child, nil, WNOHANG) == -1)
        #expect(errno == ECHILD)
    }

    @MainContext private static func unwatched(failingWith failure: SystemError) throws -> pid_t {
        let child = fork()
        if child == 0 { while true { pause() } }
        #expect(throws: failure) {
            _ = try ChildProcess(
                pid: child, watcher: { _, _ throws(SystemError) in throw failure }, onEnd: { _ in })
        }
        return child
    }

    @MainContext private static func start(_ program: String) throws {
        _ = try ChildProcess(
            program: Array(program.utf8), arguments: [], environment: [], descriptors: []
        ) { _ in }
    }

    @MainContext private static func run(
        _ script: String, blocking signal: Int32? = nil,
        descriptors: [(ours: Int32, theirs: Int32)] = []
    ) async throws -> ChildProcess.Ending {
        if let signal {
            var set = sigset_t()
            unsafe sigemptyset(&set)
            unsafe sigaddset(&set, signal)
            unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        }
        var ending: ChildProcess.Ending?
        let child = try ChildProcess(
            program: Array("/bin/bash".utf8), arguments: ["-c", script].map { Array($0.utf8) },
            environment: Environment.all(without: ["LD_PRELOAD"]), descriptors: descriptors
        ) { ending = $0 }
        while ending == nil { await MainContext.sleep(seconds: 0.002) }
        #expect(child.ending == ending)
        return ending!
    }
}
