import Synchronization
import Testing
import UndertoneColor

@testable import UndertoneServer

@Suite struct PathChecksTests {
    /// A kernel that counts its looks: a path's only byte is its file's inode, and 0 is unknown.
    private final class Kernel: Sendable {
        let looks = Mutex(0)
        let generation = Mutex<Int64>(0)

        var checks: PathChecks {
            PathChecks { path in
                self.looks.withLock { $0 += 1 }
                guard path != [0] else { return nil }
                return FileIdentity(
                    device: 1, inode: UInt64(path[0]), size: 3, modified: 4,
                    changed: self.generation.withLock { $0 })
            }
        }
    }

    @Test func questionsReadTogetherShareALookAtEachPath() {
        let kernel = Kernel()
        var checks = kernel.checks
        for _ in 0..<10 {
            for path in 1...UInt8(PathChecks.limit) {
                #expect(checks.identity(of: [path])?.inode == UInt64(path))
            }
        }
        #expect(kernel.looks.withLock { $0 } == PathChecks.limit)
    }

    @Test func whatIsReadLaterIsLookedAtAgain() {
        let kernel = Kernel()
        var checks = kernel.checks
        #expect(checks.identity(of: [7])?.changed == 0)
        kernel.generation.withLock { $0 = 1 }
        #expect(checks.identity(of: [7])?.changed == 0)
        checks.forget()
        #expect(checks.identity(of: [7])?.changed == 1)
        #expect(kernel.looks.withLock { $0 } == 2)
    }

    @Test func whatTheKernelDoesNotKnowIsAskedEachTime() {
        let kernel = Kernel()
        var checks = kernel.checks
        #expect(checks.identity(of: [0]) == nil)
        #expect(checks.identity(of: [0]) == nil)
        #expect(kernel.looks.withLock { $0 } == 2)
    }

    @Test func morePathsThanAreRememberedAreStillToldApart() {
        let kernel = Kernel()
        var checks = kernel.checks
        for _ in 0..<3 {
            for path in 1...UInt8(3 * PathChecks.limit) {
                #expect(checks.identity(of: [path])?.inode == UInt64(path))
            }
        }
        // In this order each has been replaced before its next turn.
        #expect(kernel.looks.withLock { $0 } == 9 * PathChecks.limit)
    }
}
