public import UndertoneColor

/// Why the bytes that a child wrote are not a report.
public enum ReportFault: Error, Equatable, Sendable {
    /// Nothing was written.
    case empty
    /// More than `DecodeReport.maximumEncodedBytes` were written.
    case tooLong
    /// The version or the kind of report is unknown.
    case unknownKind
    /// An error report that is cut, too long, or names what a child may not name.
    case malformedFailure
    /// Watches that are cut, or more than there may be.
    case malformedPlaces
    /// A summary that is not one.
    case summary(SummaryFault)
}

/// The report: version, kind, and the summary's own bytes, or the failure's code (a count and
/// ASCII), message (a count and UTF-8) and package (a count, 0 for none, and ASCII).
///
/// A child may have been taken over by its picture, so nothing that it writes is believed before
/// it has been through `init(validating:)`.
extension DecodeReport {
    /// The most bytes that a report takes: what a pipe holds, so that one write never waits.
    public static let maximumEncodedBytes = Limits.reportBytes

    /// The codes that a child may give: those of the file, of the picture, and of its own set-up.
    public static let failureCodes: Set<ErrorCode> = [
        .notFound, .permissionDenied, .notAFile, .readFailed, .fileChanged, .unsupportedFormat,
        .decodeFailed, .imageTooLarge, .sandboxUnavailable, .internal,
    ]

    /// Packs the report; a message is cut to its limit and loses its control characters, and a
    /// package whose name is not one is left out.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter()
        writer.append(DecoderWire.version)
        switch self {
        case .summary(let summary):
            writer.append(Kind.summary.rawValue)
            writer.append(raw: summary.encoded())
        case .failure(let error):
            writer.append(Kind.failure.rawValue)
            writer.append(failure: error)
        case .needsWideProfile:
            writer.append(Kind.needsWideProfile.rawValue)
        }
        return writer.bytes
    }

    /// Unpacks a report from everything that a child wrote.
    public init(validating bytes: [UInt8]) throws(ReportFault) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= Self.maximumEncodedBytes else { throw .tooLong }
        var reader = ByteReader(bytes)
        guard reader.read(UInt8.self) == DecoderWire.version,
            let kind = reader.read(UInt8.self).flatMap(Kind.init(rawValue:))
        else { throw .unknownKind }

        switch kind {
        case .summary:
            do {
                self = .summary(try ImageSummary(validating: Array(reader.readRest())))
            } catch {
                throw .summary(error)
            }
        case .failure:
            guard let error = reader.readFailure(Self.failureCodes), reader.isAtEnd else {
                throw .malformedFailure
            }
            self = .failure(error)
        case .needsWideProfile:
            guard reader.isAtEnd else { throw .unknownKind }
            self = .needsWideProfile
        }
    }

    private enum Kind: UInt8 {
        case summary, failure, needsWideProfile
    }

    /// The message's bytes without control characters, cut between two characters.
    fileprivate static func singleLine(_ message: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in message.unicodeScalars where !isControl(scalar) {
            let next = UTF8.encode(scalar)!
            if bytes.count + next.count > Limits.reportMessageBytes { break }
            bytes.append(contentsOf: next)
        }
        return bytes
    }

    /// C0, DEL and C1: nothing that a terminal obeys comes out of a child.
    fileprivate static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
    }

    /// Debian policy 5.6.1: lower-case letters, digits, plus, minus and full stop, at least two,
    /// the first a letter or digit.
    fileprivate static func isPackageName(_ bytes: some Collection<UInt8>) -> Bool {
        let isAlphanumeric = { (byte: UInt8) in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard let first = bytes.first, isAlphanumeric(first),
            (2...Limits.reportPackageBytes).contains(bytes.count)
        else { return false }
        return bytes.allSatisfy { isAlphanumeric($0) || "+-.".utf8.contains($0) }
    }
}

extension ByteWriter {
    /// Appends a failure: its code, message and package.
    mutating func append(failure error: RequestError) {
        append(counted: error.code.rawValue.utf8)
        let message = DecodeReport.singleLine(error.message)
        append(UInt16(clamping: message.count))
        append(raw: message)
        let package = error.package.map { Array($0.utf8) } ?? []
        append(counted: DecodeReport.isPackageName(package) ? package : [])
    }

    fileprivate mutating func append(counted values: some Collection<UInt8>) {
        append(UInt8(clamping: values.count))
        append(raw: values)
    }
}

extension ByteReader {
    /// Reads a failure, whose code must be one of those that its sender may give.
    mutating func readFailure(_ codes: Set<ErrorCode>) -> RequestError? {
        guard let codeBytes = readCounted(),
            let code = String(validating: codeBytes, as: UTF8.self).flatMap(ErrorCode.init),
            codes.contains(code),
            let length = read(UInt16.self), length <= Limits.reportMessageBytes,
            let message = read(count: Int(length)).flatMap({
                String(validating: $0, as: UTF8.self)
            }), !message.unicodeScalars.contains(where: DecodeReport.isControl),
            let package = readCounted()
        else { return nil }
        if package.isEmpty { return RequestError(code, message) }
        guard DecodeReport.isPackageName(package) else { return nil }
        return RequestError(code, message, package: String(decoding: package, as: UTF8.self))
    }

    private mutating func readCounted() -> ArraySlice<UInt8>? {
        read(UInt8.self).flatMap { read(count: Int($0)) }
    }
}
