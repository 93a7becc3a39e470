import GLibSupport
import Glibc
import TestSupport
import Testing

@testable import UndertoneServer

@Suite struct OutputBufferTests {
    init() { MainContextThread.start() }

    /// A pair of stream sockets, ours non-blocking.
    private static func pair() throws -> (SharedDescriptor, SharedDescriptor) {
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw TestFailure("no socketpair")
        }
        try UnixSocket.makeNonBlocking(ends[0])
        return (
            SharedDescriptor(Descriptor(owning: ends[0])),
            SharedDescriptor(Descriptor(owning: ends[1]))
        )
    }

    @Test func everythingArrivesOnceAndInOrder() async throws {
        try await Self.passing((0..<900_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
    }

    @Test func whatHasWrittenEverythingHoldsNoMemory() async throws {
        try await Self.emptying()
    }

    @MainContext private static func emptying() async throws {
        let pairs = try [pair(), pair()]
        var room = [UInt8](repeating: 0, count: 200)
        for (byte, (ours, theirs)) in zip([1, 2] as [UInt8], pairs) {
            let output = OutputBuffer(ours)
            output.prepare()
            // Room that another one has used: nothing of its content is left.
            #expect(output.isEmpty)
            output.bytes += [UInt8](repeating: byte, count: 100)
            #expect(output.write())
            #expect(output.bytes.capacity == 0)
            let count = unsafe read(theirs.number, &room, room.count)
            #expect(room.prefix(count) == ArraySlice(repeating: byte, count: 100))
        }
    }

    @MainContext private static func passing(_ sent: [UInt8]) async throws {
        let (ours, theirs) = try pair()
        let output = OutputBuffer(ours)
        var received: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 50_000)
        for start in stride(from: 0, to: sent.count, by: 300_000) {
            output.bytes += sent[start..<start + 300_000]
            #expect(output.write())
            let count = unsafe read(theirs.number, &room, room.count)
            received += room.prefix(count)
        }
        while !output.isEmpty {
            let count = unsafe read(theirs.number, &room, room.count)
            received += room.prefix(count)
            #expect(output.write())
        }
        while received.count < sent.count {
            let count = unsafe read(theirs.number, &room, room.count)
            received += room.prefix(count)
        }
        #expect(received == sent)
    }

    @Test func aClientThatIsGoneIsToldAndSendsNoSignal() async throws {
        try await Self.writingToNobody()
    }

    @MainContext private static func writingToNobody() async throws {
        var ends = Optional(try pair())
        let ours = try #require(ends?.0)
        ends = nil
        let output = OutputBuffer(ours)
        output.bytes = [1]
        #expect(!output.write())
    }

    @Test func aClientThatTakesNothingIsNoticed() async throws {
        try await Self.takingNothing()
    }

    @MainContext private static func takingNothing() async throws {
        let (ours, theirs) = try pair()
        let output = OutputBuffer(ours, patience: 0.3)
        let start = MainContext.now
        var found: Double?
        output.onStall = { found = MainContext.now - start }
        output.bytes = [UInt8](repeating: 7, count: 4 << 20)
        #expect(output.write() && !output.isEmpty)
        while found == nil { await MainContext.sleep(seconds: 0.02) }
        #expect(try #require(found) >= 0.3)
        withExtendedLifetime(theirs) {}
    }

    @Test func aClientThatTakesALittleNowAndThenIsNotStalled() async throws {
        // Where other tests held up the main context, it says nothing of this one.
        for _ in 0..<20 where try await Self.takingALittle() { return }
        Issue.record("the main context was always held up")
    }

    /// Whether the main context was free enough for the test to mean anything.
    @MainContext private static func takingALittle() async throws -> Bool {
        let (ours, theirs) = try pair()
        let output = OutputBuffer(ours, patience: 0.3)
        var isStalled = false
        output.onStall = { isStalled = true }
        output.bytes = [UInt8](repeating: 7, count: 4 << 20)
        #expect(output.write())
        var room = [UInt8](repeating: 0, count: 100_000)
        var last = MainContext.now
        for _ in 0..<20 {
            await MainContext.sleep(seconds: 0.03)
            if MainContext.now - last > 0.25 { return false }
            last = MainContext.now
            unsafe _ = read(theirs.number, &room, room.count)
            #expect(output.write())
        }
        #expect(!isStalled)
        return true
    }
}
