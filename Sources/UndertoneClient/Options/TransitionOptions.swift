public import UndertoneColor
internal import UndertoneProtocol

/// What is to be known of a transition; nil stands for the daemon's own choice.
public struct TransitionOptions: Equatable, Sendable {
    /// Where it begins and where it ends.
    public var from, to: End
    /// How many frames there are, 2…240.
    public var frames: Int?
    /// The space in which the backgrounds lie on a straight line.
    public var space: Transition.Space?
    /// Which average stands for a picture.
    public var average: AverageKind?
    /// The contrast ratio that text is to reach, 1…21.
    public var contrast: Double?
    /// How pixels are sampled.
    public var sampling: Sampling?

    /// Creates options that leave everything else to the daemon.
    public init(from: End, to: End) {
        self.from = from
        self.to = to
    }

    /// One end.
    public enum End: Equatable, Sendable {
        case color(RGB8)
        /// A picture's absolute path.
        case picture([UInt8])
    }

    /// Writes the question as a line, newline included.
    func request() -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("op", "transition")
        writer.name("from")
        writer.value(from)
        writer.name("to")
        writer.value(to)
        writer.member("frames", frames)
        writer.member("space", space?.rawValue)
        writer.member("average", average?.rawValue)
        writer.member("contrast", contrast)
        writer.member("sampling", sampling?.rawValue)
        writer.endObject()
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}

extension JSONWriter {
    fileprivate mutating func value(_ end: TransitionOptions.End) {
        switch end {
        case .color(let color): value(color)
        case .picture(let path): picture(path)
        }
    }

    /// Writes a picture within a question about another.
    mutating func picture(_ path: [UInt8]) {
        beginObject()
        self.path(path)
        endObject()
    }
}
