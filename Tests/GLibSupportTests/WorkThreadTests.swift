import GLibSupport
import Glibc
import Synchronization
import Testing

@Suite struct WorkThreadTests {
    /// What jobs leave behind.
    private final class Notes: Sendable {
        let numbers = Mutex<[Int]>([])
        let threads = Mutex<Set<String>>([])
    }

    /// The directory that `/proc` has for the calling thread.
    private static func thread() -> String {
        var buffer = [CChar](repeating: 0, count: 100)
        let count = unsafe readlink("/proc/thread-self", &buffer, buffer.count)
        let link = buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:))
        return "/proc/" + String(decoding: link, as: UTF8.self)
    }

    /// Waits until jobs have noted so many numbers.
    private static func wait(_ notes: Notes, for count: Int) -> Bool {
        for _ in 0..<10_000 {
            if notes.numbers.withLock({ $0.count }) >= count { return true }
            usleep(1000)
        }
        return false
    }

    /// Has a thread run jobs that note their numbers and where they run.
    private static func run(_ count: Int, on thread: WorkThread, noting notes: Notes) {
        for number in 0..<count {
            thread.run {
                _ = notes.threads.withLock { $0.insert(Self.thread()) }
                notes.numbers.withLock { $0.append(number) }
            }
        }
    }

    @Test func jobsRunInOrderOnAThreadOfTheirOwn() throws {
        let notes = Notes()
        let thread = try #require(WorkThread(name: "work"))
        Self.run(1000, on: thread, noting: notes)
        #expect(Self.wait(notes, for: 1000))
        #expect(notes.numbers.withLock { $0 } == Array(0..<1000))
        let threads = notes.threads.withLock { $0 }
        #expect(threads.count == 1)
        #expect(!threads.contains(Self.thread()))
    }

    @Test func itEndsWithItsLastReferenceAndAfterItsLastJob() throws {
        let notes = Notes()
        do {
            let thread = try #require(WorkThread(name: "work"))
            Self.run(100, on: thread, noting: notes)
        }
        #expect(Self.wait(notes, for: 100))
        let thread = try #require(notes.threads.withLock { $0.first })
        var turns = 0
        while unsafe access(thread, F_OK) == 0, turns < 10_000 {
            turns += 1
            usleep(1000)
        }
        #expect(unsafe access(thread, F_OK) != 0)
    }
}
