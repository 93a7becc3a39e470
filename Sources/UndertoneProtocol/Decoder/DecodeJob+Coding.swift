import UndertoneColor

/// The job's packet: version, slot, sampling, backdrop (a flag and three bytes), regions (a count
/// and four doubles each), and the path (a count and its bytes). Little-endian throughout.
extension DecodeJob {
    /// The most bytes that a job takes.
    public static let maximumEncodedBytes = 13 + Limits.regions * 32 + Limits.pathBytes

    /// Packs the job for the zygote; a job beyond the limits becomes a packet that `decode`
    /// refuses.
    ///
    /// - Parameter slot: The daemon's number for the child, which every event about it repeats.
    public func encoded(slot: UInt32) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(DecoderWire.version)
        writer.append(slot)
        writer.append(sampling.code)
        writer.append(UInt8(backdrop == nil ? 0 : 1))
        let color = backdrop ?? .black
        writer.append(raw: [color.red, color.green, color.blue])
        writer.append(UInt8(clamping: regions.count))
        for region in regions {
            writer.append(region.x)
            writer.append(region.y)
            writer.append(region.width)
            writer.append(region.height)
        }
        writer.append(UInt16(clamping: path.count))
        writer.append(raw: path)
        return writer.bytes
    }

    /// Unpacks a job, or answers nil where any field is out of its range or the length is not
    /// exact.
    public static func decode(_ bytes: [UInt8]) -> (slot: UInt32, job: DecodeJob)? {
        var reader = ByteReader(bytes)
        guard reader.read(UInt8.self) == DecoderWire.version,
            let slot = reader.read(UInt32.self),
            let sampling = reader.read(UInt8.self).flatMap(Sampling.init(code:)),
            let hasBackdrop = reader.readFlag(),
            let color = reader.read(count: 3).map(Array.init),
            let count = reader.read(UInt8.self), count <= Limits.regions
        else { return nil }

        var regions: [RegionRectangle] = []
        for _ in 0..<count {
            guard let region = reader.readRegion() else { return nil }
            regions.append(region)
        }
        guard let path = reader.readPath(), reader.isAtEnd else { return nil }
        return (
            slot,
            DecodeJob(
                path: path, sampling: sampling,
                backdrop: hasBackdrop ? RGB8(red: color[0], green: color[1], blue: color[2]) : nil,
                regions: regions)
        )
    }
}

extension ByteReader {
    /// Reads an absolute path with its count.
    mutating func readPath() -> [UInt8]? {
        guard let length = read(UInt16.self), length < Limits.pathBytes,
            let path = read(count: Int(length)), path.first == UInt8(ascii: "/"),
            !path.contains(0)
        else { return nil }
        return Array(path)
    }

    /// `1 - size + size` may round to a little more than 1, so that much is let pass.
    private static let slack = 1e-9

    fileprivate mutating func readRegion() -> RegionRectangle? {
        guard let x = readDouble(), let y = readDouble(), let width = readDouble(),
            let height = readDouble(),
            // A comparison with NaN is false, so these refuse it too.
            x >= 0, y >= 0, width > 0, height > 0,
            x + width <= 1 + Self.slack, y + height <= 1 + Self.slack
        else { return nil }
        return RegionRectangle(x: x, y: y, width: width, height: height)
    }
}
