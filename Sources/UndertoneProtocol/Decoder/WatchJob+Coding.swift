import UndertoneColor

/// The job's packet: version, slot, the mark of a watch or of a look, and the paths (a count, and
/// for each a count and its bytes). Little-endian.
extension WatchJob {
    /// The most bytes that a job takes.
    public static let maximumEncodedBytes = 7 + Limits.watchPictures * (2 + Limits.pathBytes)

    /// Where a picture's job has its sampling; no sampling is numbered so.
    private enum Mark: UInt8 {
        case watch = 0x80
        case look = 0x81
    }

    /// Packs the job for the zygote; a job beyond the limits becomes a packet that `decode`
    /// refuses.
    public func encoded(slot: UInt32) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(DecoderWire.version)
        writer.append(slot)
        writer.append((placesWatches ? Mark.watch : .look).rawValue)
        writer.append(UInt8(clamping: paths.count))
        for path in paths {
            writer.append(UInt16(clamping: path.count))
            writer.append(raw: path)
        }
        return writer.bytes
    }

    /// Unpacks a job, or answers nil where any field is out of its range or the length is not
    /// exact.
    public static func decode(_ bytes: [UInt8]) -> (slot: UInt32, job: WatchJob)? {
        var reader = ByteReader(bytes)
        guard reader.read(UInt8.self) == DecoderWire.version,
            let slot = reader.read(UInt32.self),
            let mark = reader.read(UInt8.self).flatMap(Mark.init(rawValue:)),
            let count = reader.read(UInt8.self), (1...Limits.watchPictures).contains(Int(count))
        else { return nil }
        var paths: [[UInt8]] = []
        for _ in 0..<count {
            guard let path = reader.readPath() else { return nil }
            paths.append(path)
        }
        let job = WatchJob(paths: paths, placesWatches: mark == .watch)
        return reader.isAtEnd ? (slot, job) : nil
    }
}

/// A packet from the daemon to the zygote.
public enum ZygoteJob: Equatable, Sendable {
    /// A picture is to be decoded.
    case decode(DecodeJob)
    /// Paths are to be watched, or looked at.
    case watch(WatchJob)

    /// The most bytes that a packet takes.
    public static let maximumEncodedBytes =
        max(DecodeJob.maximumEncodedBytes, WatchJob.maximumEncodedBytes)

    /// Packs the job for the zygote.
    ///
    /// - Parameter slot: The daemon's number for the child, which every event about it repeats.
    public func encoded(slot: UInt32) -> [UInt8] {
        switch self {
        case .decode(let job): job.encoded(slot: slot)
        case .watch(let job): job.encoded(slot: slot)
        }
    }

    /// Unpacks a job of either kind, or answers nil where it is none.
    public static func decode(_ bytes: [UInt8]) -> (slot: UInt32, job: ZygoteJob)? {
        if let (slot, job) = DecodeJob.decode(bytes) { return (slot, .decode(job)) }
        if let (slot, job) = WatchJob.decode(bytes) { return (slot, .watch(job)) }
        return nil
    }
}
