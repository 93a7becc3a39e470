import CLinux
import GLibSupport
import Glibc
import UndertoneProtocol

/// One running `undertone-decoder`, from its start to its end.
///
/// The daemon's end of the channel, a socket of packets, belongs to this object; the decoder's
/// end, its descriptor 3, is closed here as soon as it runs, so that its death is an end of file.
@MainContext
final class Zygote {
    /// Called for each packet, with the descriptors that came along.
    typealias EventHandler = @MainContext (Zygote, ZygoteEvent, [SharedDescriptor]) -> Void
    /// Called once, after the last packet.
    typealias EndHandler = @MainContext (Zygote) -> Void

    /// Which of the two kinds it is.
    let profile: DecoderProfile
    /// What it can do, once it is ready.
    private(set) var capabilities: DecoderCapabilities?
    /// The daemon's end.
    let channel: SharedDescriptor
    private var process: ChildProcess?
    private var watch: FileWatch?
    /// Packets that wait until the channel takes them, with the descriptors that go along, and
    /// whose slots they are about.
    private var outbox: [(packet: [UInt8], descriptor: SharedDescriptor?, slot: UInt32)] = []
    private let onEvent: EventHandler
    private let onEnd: EndHandler

    /// Starts the program.
    init(
        _ setup: DecoderSetup, profile: DecoderProfile,
        onEvent: @escaping EventHandler, onEnd: @escaping EndHandler
    ) throws(SystemError) {
        let (ours, theirs) = try UnixSocket.packetPair()
        try UnixSocket.makeNonBlocking(ours.number)
        self.profile = profile
        self.onEvent = onEvent
        self.onEnd = onEnd
        channel = ours
        process = try ChildProcess(
            program: setup.program,
            arguments: [
                "--profile", profile.rawValue, "--sandbox", setup.sandbox.rawValue, "--deadline",
                "\(setup.deadlineSeconds)",
            ].map { Array($0.utf8) },
            // A picture that crashes its child must not have the crash analysed beside it, nor may
            // one that takes it over speak to the service manager. Symbols that are not bound at
            // the start would be bound by each child anew.
            environment: Environment.all(
                without: ["NOTIFY_SOCKET", "SWIFT_BACKTRACE", "LD_BIND_NOW"])
                + [Array("SWIFT_BACKTRACE=enable=no".utf8), Array("LD_BIND_NOW=1".utf8)],
            descriptors: [(ours: theirs.number, theirs: 3)]
        ) { [weak self] _ in
            self?.receive()
            self?.end()
        }
        do throws(SystemError) {
            watch = try FileWatch(ours.number, for: .readable) { [weak self] _ in
                self?.receive()
                self?.flush()
            }
        } catch {
            process?.kill(SIGKILL)
            throw error
        }
    }

    /// Whether it has not ended.
    var isAlive: Bool { watch != nil }

    /// Its process's number.
    var pid: Int32 { process?.pid ?? 0 }

    /// Asks for a child, which gets a copy of the descriptor.
    func send(_ job: ZygoteJob, _ descriptor: SharedDescriptor? = nil, slot: UInt32) {
        outbox.append((job.encoded(slot: slot), descriptor, slot))
        flush()
    }

    /// Ends it without a call of `onEnd`; it must have no child that matters.
    func retire() {
        close()
        process?.kill(SIGKILL)
    }

    /// Ends it at once.
    func kill() {
        process?.kill(SIGKILL)
        end()
    }

    private func flush() {
        while isAlive, let (packet, descriptor, slot) = outbox.first {
            let numbers = descriptor.map { [$0.number] } ?? []
            let sent = unsafe clinux_send(
                channel.number, packet, packet.count, numbers, Int32(numbers.count))
            let failure = sent < 0 ? Int32(-sent) : 0
            if failure == EAGAIN { break }
            if failure == EINTR { continue }
            outbox.removeFirst()
            switch failure {
            // Sent, or its death, which the watch finds.
            case 0, EPIPE, ECONNRESET: break
            // It lives and will never hear of the job: the kernel has no room, say.
            default: onEvent(self, .notStarted(slot: slot, errno: failure), [])
            }
        }
        watch?.interest = outbox.isEmpty ? .readable : [.readable, .writable]
    }

    private func receive() {
        while isAlive {
            switch next() {
            case .event(let event, let descriptors):
                if case .ready(let capabilities) = event { self.capabilities = capabilities }
                onEvent(self, event, descriptors)
            case .nothing:
                return
            case .end:
                return kill()
            }
        }
    }

    private enum Packet {
        case event(ZygoteEvent, [SharedDescriptor])
        case nothing
        case end
    }

    private func next() -> Packet {
        // One byte and one descriptor more than there can be, to notice the surplus.
        var bytes = [UInt8](repeating: 0, count: ZygoteEvent.maximumEncodedBytes + 1)
        var numbers: [Int32] = [-1, -1, -1]
        var count = Int32(numbers.count)
        let length = unsafe clinux_receive(
            channel.number, &bytes, bytes.count, &numbers, &count)
        if length == -Int(EAGAIN) || length == -Int(EINTR) { return .nothing }
        guard length > 0 else { return .end }
        let descriptors = numbers.prefix(Int(count)).map {
            SharedDescriptor(Descriptor(owning: $0))
        }
        guard let event = ZygoteEvent(validating: Array(bytes.prefix(length))),
            descriptors.count == event.descriptorCount
        else {
            Log.write(.error, "the \(profile.rawValue) decoder sent what is no event")
            return .end
        }
        return .event(event, descriptors)
    }

    private func end() {
        guard isAlive else { return }
        close()
        onEnd(self)
    }

    private func close() {
        watch?.cancel()
        watch = nil
        outbox = []
        // Shut down rather than closed: events on their way may still hold this object.
        shutdown(channel.number, Int32(SHUT_RDWR))
    }
}

extension ZygoteEvent {
    /// How many descriptors must come with it.
    fileprivate var descriptorCount: Int {
        if case .started = self { 2 } else { 0 }
    }
}
