public import UndertoneColor

/// What a child says of the watches that it placed, in the one `write` that it makes.
public enum WatchReport: Equatable, Sendable {
    /// The watches are placed: which files the paths led to after that, nil for what is no regular
    /// file or not to be reached, and what to look out for; nothing after a mere look.
    case placed(files: [FileIdentity?], places: [WatchPlace])
    /// They are not, and why.
    case failure(RequestError)
}

/// The report: version, kind, and either the files (a count, and for each a flag and five numbers)
/// and the places (a count, and for each the watch and the name with its count), or the failure's
/// code, message and package as a `DecodeReport` has them. Little-endian.
extension WatchReport {
    /// The codes that a child may give.
    public static let failureCodes: Set<ErrorCode> = [
        .busy, .sandboxUnavailable, .watchUnsupported, .internal,
    ]

    /// Packs the report.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter()
        writer.append(DecoderWire.version)
        switch self {
        case .placed(let files, let places):
            writer.append(Kind.placed.rawValue)
            writer.append(UInt8(clamping: files.count))
            for file in files {
                writer.append(UInt8(file == nil ? 0 : 1))
                guard let file else { continue }
                for number in [file.device, file.inode, file.size] { writer.append(number) }
                for time in [file.modified, file.changed] { writer.append(time) }
            }
            writer.append(UInt16(clamping: places.count))
            for place in places {
                writer.append(place.watch)
                writer.append(UInt8(clamping: place.name.count))
                writer.append(raw: place.name)
            }
        case .failure(let error):
            writer.append(Kind.failure.rawValue)
            writer.append(failure: error)
        }
        return writer.bytes
    }

    /// Unpacks a report from everything that a child wrote.
    public init(validating bytes: [UInt8]) throws(ReportFault) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= Limits.reportBytes else { throw .tooLong }
        var reader = ByteReader(bytes)
        guard reader.read(UInt8.self) == DecoderWire.version,
            let kind = reader.read(UInt8.self).flatMap(Kind.init(rawValue:))
        else { throw .unknownKind }
        switch kind {
        case .placed:
            guard let files = reader.readFiles(), let places = reader.readPlaces(),
                reader.isAtEnd
            else { throw .malformedPlaces }
            self = .placed(files: files, places: places)
        case .failure:
            guard let error = reader.readFailure(Self.failureCodes), reader.isAtEnd else {
                throw .malformedFailure
            }
            self = .failure(error)
        }
    }

    private enum Kind: UInt8 {
        case placed, failure
    }
}

extension ByteReader {
    fileprivate mutating func readFiles() -> [FileIdentity?]? {
        guard let count = read(UInt8.self), count <= Limits.watchPictures else { return nil }
        var files: [FileIdentity?] = []
        for _ in 0..<count {
            guard let isThere = readFlag() else { return nil }
            guard isThere else {
                files.append(nil)
                continue
            }
            guard let device = read(UInt64.self), let inode = read(UInt64.self),
                let size = read(UInt64.self), let modified = read(Int64.self),
                let changed = read(Int64.self)
            else { return nil }
            files.append(
                FileIdentity(
                    device: device, inode: inode, size: size, modified: modified,
                    changed: changed))
        }
        return files
    }

    fileprivate mutating func readPlaces() -> [WatchPlace]? {
        guard let count = read(UInt16.self), count <= Limits.watchPlaces else { return nil }
        var places: [WatchPlace] = []
        for _ in 0..<count {
            guard let watch = read(Int32.self), watch >= 0, let length = read(UInt8.self),
                let name = read(count: Int(length))
            else { return nil }
            places.append(WatchPlace(watch: watch, name: Array(name)))
        }
        return places
    }
}
