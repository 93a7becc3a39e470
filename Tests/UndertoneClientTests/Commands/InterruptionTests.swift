import Glibc
import Testing

@testable import UndertoneClient

@Suite struct InterruptionTests {
    /// Whether this thread takes a signal now.
    private func takes(_ number: Int32) -> Bool {
        var mask = sigset_t()
        unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
        return unsafe sigismember(&mask, number) == 0
    }

    @Test func keepsSignalsForLater() throws {
        let before = (takes(SIGINT), takes(SIGTERM))
        let inside = Interruption.deferred { (takes(SIGINT), takes(SIGTERM), takes(SIGHUP)) }
        #expect(inside.0 == false)
        #expect(inside.1 == false)
        #expect(inside.2 == takes(SIGHUP))
        #expect((takes(SIGINT), takes(SIGTERM)) == before)
        #expect(throws: OutputClosed.self) {
            try Interruption.deferred { throw OutputClosed() }
        }
        #expect((takes(SIGINT), takes(SIGTERM)) == before)
    }
}
