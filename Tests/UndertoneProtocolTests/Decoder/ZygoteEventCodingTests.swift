import Testing
import UndertoneColor
import UndertoneProtocol

@Suite struct ZygoteEventCodingTests {
    static let events: [ZygoteEvent] = [
        .ready(DecoderCapabilities(formats: [], landlock: 0, seccomp: false)),
        .ready(DecoderCapabilities(formats: [.png, .svg], landlock: 7, seccomp: true)),
        .ready(
            DecoderCapabilities(
                formats: Set(ImageFormat.allCases), landlock: .max, seccomp: false)),
        .started(slot: 0, pid: 1),
        .started(slot: .max, pid: .max),
        .notStarted(slot: 3, errno: 11),
        .exited(slot: 4, code: 0, signal: 0),
        .exited(slot: 4, code: 255, signal: 0),
        .exited(slot: 4, code: 0, signal: 64),
        .outdated,
        .prepared,
    ]

    @Test func packsTheFieldsInTheirOrder() {
        #expect(
            ZygoteEvent.started(slot: 0x0403_0201, pid: 0x0807_0605).encoded()
                == [1, 1, 1, 2, 3, 4, 5, 6, 7, 8])
        let ready = ZygoteEvent.ready(
            DecoderCapabilities(formats: [.png, .gif], landlock: 7, seccomp: true))
        #expect(ready.encoded() == [1, 0, 0b101, 0, 0, 0, 7, 0, 0, 0, 1])
    }

    @Test(arguments: events)
    func comesBackAsItWas(_ event: ZygoteEvent) {
        let bytes = event.encoded()
        #expect(ZygoteEvent(validating: bytes) == event)
        #expect(bytes.count <= ZygoteEvent.maximumEncodedBytes)
    }

    @Test(arguments: events)
    func refusesEveryOtherLength(_ event: ZygoteEvent) {
        let bytes = event.encoded()
        for length in 0..<bytes.count {
            #expect(ZygoteEvent(validating: Array(bytes.prefix(length))) == nil)
        }
        #expect(ZygoteEvent(validating: bytes + [0]) == nil)
    }

    @Test(arguments: [
        ZygoteEvent.started(slot: 0, pid: 0), .started(slot: 0, pid: -1),
        .notStarted(slot: 0, errno: 0), .notStarted(slot: 0, errno: -5),
        .exited(slot: 0, code: -1, signal: 0), .exited(slot: 0, code: 256, signal: 0),
        .exited(slot: 0, code: 0, signal: 65), .exited(slot: 0, code: 0, signal: -9),
        .exited(slot: 0, code: 1, signal: 9),
    ])
    func refusesImpossibleValues(_ event: ZygoteEvent) {
        #expect(ZygoteEvent(validating: event.encoded()) == nil)
    }

    @Test func refusesAnotherVersionUnknownKindsFormatsAndFlags() {
        let ready = Self.events[1].encoded()
        for (index, value) in [(0, 0), (0, 2), (1, 4), (1, 255), (3, 0x08), (5, 1), (10, 2)] {
            var changed = ready
            changed[index] = UInt8(value)
            #expect(ZygoteEvent(validating: changed) == nil, "byte \(index) as \(value)")
        }
    }
}
