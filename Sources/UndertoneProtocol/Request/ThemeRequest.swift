public import UndertoneColor

/// A question for terminal colours and roles made from one picture.
public struct ThemeRequest: Hashable, Sendable {
    /// The shape of the result.
    public enum Format: String, CaseIterable, Sendable {
        /// This program's own.
        case undertone
        /// That of pywal's `colors.json`.
        case pywal
    }

    /// What the decoder has to do.
    public var job: DecodeJob
    /// What the background is to be; nil for what suits the picture.
    public var scheme: Scheme?
    /// The shape of the result.
    public var format: Format

    /// Creates a question.
    public init(
        path: [UInt8], sampling: Sampling = .auto, scheme: Scheme? = nil,
        format: Format = .undertone
    ) {
        job = DecodeJob(path: path, sampling: sampling)
        self.scheme = scheme
        self.format = format
    }
}

extension ThemeRequest {
    /// The names of what a `theme` request may hold besides what every request may.
    static let fieldNames = PictureLocation.fieldNames + ["scheme", "format", "sampling"]

    /// Understands a `theme` request.
    init(_ fields: RequestFields) throws(RequestError) {
        self.init(
            path: try PictureLocation.path(in: fields),
            sampling: try fields.sampling(),
            scheme: try fields.scheme(),
            format: try fields.choice("format") ?? .undertone)
    }
}
