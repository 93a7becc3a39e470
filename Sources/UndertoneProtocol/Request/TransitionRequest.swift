public import UndertoneColor

/// A question for the way from one background to another.
public struct TransitionRequest: Hashable, Sendable {
    /// Where the way begins or ends.
    public enum End: Hashable, Sendable {
        /// At a colour.
        case color(RGB8)
        /// At a picture's average.
        case picture(DecodeJob)

        /// The picture, if it is one.
        var job: DecodeJob? {
            if case .picture(let job) = self { job } else { nil }
        }
    }

    /// The two ends.
    public var from, to: End
    /// How many frames there are, within `Transition.frameCounts`.
    public var frames: Int
    /// The space in which the colours lie on a straight line.
    public var space: Transition.Space
    /// Which of a picture's averages is its end.
    public var average: AverageKind
    /// The contrast ratio that text is to reach, 1…21.
    public var contrast: Double

    /// The frames where a client does not say.
    public static let defaultFrames = 30

    /// Creates a question.
    public init(
        from: End, to: End, frames: Int = TransitionRequest.defaultFrames,
        space: Transition.Space = .oklab, average: AverageKind = .simple,
        contrast: Double = ColorRequest.defaultContrast
    ) {
        self.from = from
        self.to = to
        self.frames = frames
        self.space = space
        self.average = average
        self.contrast = contrast
    }
}

extension TransitionRequest {
    /// The names of what a `transition` request may hold besides what every request may.
    static let fieldNames = ["from", "to", "frames", "space", "average", "contrast", "sampling"]

    /// Understands a `transition` request.
    init(_ fields: RequestFields) throws(RequestError) {
        let sampling = try fields.sampling()
        self.init(
            from: try End("from", fields, sampling), to: try End("to", fields, sampling),
            frames: try fields.whole("frames", in: Transition.frameCounts)
                ?? TransitionRequest.defaultFrames,
            space: try fields.choice("space") ?? .oklab,
            average: try fields.average(),
            contrast: try fields.contrast())
    }
}

extension TransitionRequest.End {
    fileprivate init(
        _ key: String, _ fields: RequestFields, _ sampling: Sampling
    ) throws(RequestError) {
        switch fields[key] {
        case nil: throw .invalid("\(fields.name(key)) is missing")
        case .string(let bytes):
            guard let color = RGB8(hexBytes: bytes) else { throw Self.isNeither(key, fields) }
            self = .color(color)
        case .object(let members):
            let picture = RequestFields(members, owner: fields.name(key))
            let path = try PictureLocation.path(alone: picture)
            self = .picture(DecodeJob(path: path, sampling: sampling))
        default: throw Self.isNeither(key, fields)
        }
    }

    private static func isNeither(_ key: String, _ fields: RequestFields) -> RequestError {
        .invalid("\(fields.name(key)) must be a color like \"#1e90ff\" or a picture")
    }
}
