import UndertoneColor

/// The event's packet: version, kind, and the fields of its case. Little-endian throughout.
extension ZygoteEvent {
    /// The most bytes that an event takes.
    public static let maximumEncodedBytes = 32

    /// Packs the event for the daemon.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter()
        writer.append(DecoderWire.version)
        switch self {
        case .ready(let capabilities):
            writer.append(Kind.ready.rawValue)
            writer.append(capabilities.formats.reduce(into: UInt32(0)) { $0 |= 1 << $1.code })
            writer.append(capabilities.landlock)
            writer.append(UInt8(capabilities.seccomp ? 1 : 0))
        case .started(let slot, let pid):
            writer.append(Kind.started.rawValue)
            writer.append(slot)
            writer.append(pid)
        case .notStarted(let slot, let errno):
            writer.append(Kind.notStarted.rawValue)
            writer.append(slot)
            writer.append(errno)
        case .exited(let slot, let code, let signal):
            writer.append(Kind.exited.rawValue)
            writer.append(slot)
            writer.append(code)
            writer.append(signal)
        case .outdated:
            writer.append(Kind.outdated.rawValue)
        case .prepared:
            writer.append(Kind.prepared.rawValue)
        }
        return writer.bytes
    }

    /// Unpacks an event, or answers nil where any field is out of its range or the length is not
    /// exact.
    public init?(validating bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard reader.read(UInt8.self) == DecoderWire.version,
            let kind = reader.read(UInt8.self).flatMap(Kind.init(rawValue:)),
            let event = reader.readEvent(kind), reader.isAtEnd
        else { return nil }
        self = event
    }

    fileprivate enum Kind: UInt8 {
        case ready, started, notStarted, exited, outdated, prepared
    }
}

extension ByteReader {
    fileprivate mutating func readEvent(_ kind: ZygoteEvent.Kind) -> ZygoteEvent? {
        if kind == .ready { return readCapabilities().map(ZygoteEvent.ready) }
        if kind == .outdated { return .outdated }
        if kind == .prepared { return .prepared }
        guard let slot = read(UInt32.self), let value = read(Int32.self) else { return nil }
        switch kind {
        case .ready, .outdated, .prepared:
            return nil
        case .started:
            return value > 0 ? .started(slot: slot, pid: value) : nil
        case .notStarted:
            return value > 0 ? .notStarted(slot: slot, errno: value) : nil
        case .exited:
            // An exit code has eight bits and signals end at 64; only one of the two can be set.
            guard let signal = read(Int32.self), (0...255).contains(value),
                (0...64).contains(signal), value == 0 || signal == 0
            else { return nil }
            return .exited(slot: slot, code: value, signal: signal)
        }
    }

    private mutating func readCapabilities() -> DecoderCapabilities? {
        guard let mask = read(UInt32.self), let landlock = read(UInt32.self),
            let seccomp = readFlag(), mask >> UInt32(ImageFormat.allCases.count) == 0
        else { return nil }
        let formats = ImageFormat.allCases.filter { mask & (1 << $0.code) != 0 }
        return DecoderCapabilities(formats: Set(formats), landlock: landlock, seccomp: seccomp)
    }
}
