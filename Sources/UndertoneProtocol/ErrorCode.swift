/// The stable codes of protocol 1's errors.
public enum ErrorCode: String, CaseIterable, Sendable {
    // The line itself.
    case parseError = "parse_error"
    case invalidRequest = "invalid_request"
    case unknownOperation = "unknown_op"
    case requestTooLarge = "request_too_large"
    // The file.
    case notFound = "not_found"
    case permissionDenied = "permission_denied"
    case notAFile = "not_a_file"
    case readFailed = "read_failed"
    case fileChanged = "file_changed"
    // The picture.
    case unsupportedFormat = "unsupported_format"
    case decodeFailed = "decode_failed"
    case imageTooLarge = "image_too_large"
    case decoderCrashed = "decoder_crashed"
    case timeout
    // The daemon.
    case busy
    case shuttingDown = "shutting_down"
    case sandboxUnavailable = "sandbox_unavailable"
    case watchUnsupported = "watch_unsupported"
    case `internal`
}

extension ErrorCode {
    /// Whether a watch whose first line has this code has not begun: it is not an error of the
    /// picture, and no change of the picture would mend it.
    public var preventsWatching: Bool {
        switch self {
        case .parseError, .invalidRequest, .unknownOperation, .requestTooLarge, .timeout, .busy,
            .shuttingDown, .sandboxUnavailable, .watchUnsupported, .internal:
            true
        case .notFound, .permissionDenied, .notAFile, .readFailed, .fileChanged,
            .unsupportedFormat, .decodeFailed, .imageTooLarge, .decoderCrashed:
            false
        }
    }
}

/// Why a request has no result: what the wire's `error` object holds.
public struct RequestError: Error, Equatable, Sendable {
    /// The stable code, for programs.
    public var code: ErrorCode
    /// What happened, for people: one line that names the thing, without a picture's path.
    public var message: String
    /// The Debian package that would help, where one is known.
    public var package: String?

    /// Creates an error.
    public init(_ code: ErrorCode, _ message: String, package: String? = nil) {
        self.code = code
        self.message = message
        self.package = package
    }
}
