import GLibSupport
import Glibc
import TestSupport
import Testing
import UndertoneProtocol

@testable import UndertoneServer

/// The daemon's side of the channel to a decoder.
@Suite struct ZygoteTests {
    init() { MainContextThread.start() }

    /// A job that the kernel does not take is no death of the zygote, which goes on.
    @Test func aJobThatCannotBeSentIsNotStarted() async throws {
        let events = try await Self.events { zygote in
            var size: Int32 = 1
            // The kernel raises it to its minimum, which is less than the largest job.
            unsafe setsockopt(
                zygote.channel.number, SOL_SOCKET, SO_SNDBUF, &size,
                socklen_t(MemoryLayout<Int32>.size))
            let path = [UInt8(ascii: "/")] + [UInt8](repeating: 0x61, count: 4094)
            let region = RegionRectangle(x: 0, y: 0, width: 1, height: 1)
            let regions = [RegionRectangle](repeating: region, count: Limits.regions)
            zygote.send(.decode(DecodeJob(path: path, regions: regions)), slot: 7)
            zygote.send(.decode(DecodeJob(path: Array("/nowhere/refused".utf8))), slot: 8)
        }
        #expect(
            events == [
                .notStarted(slot: 7, errno: EMSGSIZE), .notStarted(slot: 8, errno: EAGAIN),
            ])
    }

    /// What a zygote tells after it is ready, until nothing more is due.
    @MainContext private static func events(
        after body: @MainContext (Zygote) -> Void
    ) async throws -> [ZygoteEvent] {
        let program = TestProcess.buildDirectory + "/undertone-test-decoder"
        var events: [ZygoteEvent] = []
        let zygote = try Zygote(
            DecoderSetup(program: Array(program.utf8)), profile: .raster,
            onEvent: { _, event, _ in events.append(event) }, onEnd: { _ in })
        while events.isEmpty { await MainContext.sleep(seconds: 0.002) }
        events = []
        body(zygote)
        while events.count < 2, zygote.isAlive { await MainContext.sleep(seconds: 0.002) }
        zygote.retire()
        return events
    }
}
