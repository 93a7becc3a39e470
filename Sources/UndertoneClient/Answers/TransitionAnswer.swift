public import UndertoneColor

/// The answer to a `transition` question.
public struct TransitionAnswer: Equatable, Sendable {
    /// Where it begins and where it ends.
    public var from, to: End
    /// The space in which the backgrounds lie on a straight line, as the wire names it.
    public var space: String
    /// How far along, 0…1, the text changes between black and white; nil where it stays.
    public var flip: Double?
    /// The lowest ratio of any frame's foreground; nil where an end cannot be seen.
    public var lowest: Double?
    /// The frames in order; none where an end cannot be seen.
    public var frames: [Frame]

    /// One end.
    public struct End: Equatable, Sendable {
        /// The colour; nil where nothing of its picture can be seen.
        public var color: RGB8?
        /// Facts about its picture; nil for a colour.
        public var image: ImageFacts?
    }

    /// One frame.
    public struct Frame: Equatable, Sendable {
        /// How far along it is, 0…1.
        public var position: Double
        /// Its background.
        public var background: RGB8
        /// The colours for text and for less important text.
        public var foreground, secondary: TextColor
    }
}

extension TransitionAnswer {
    /// Takes the result of a `transition` reply.
    init(_ result: JSONDocument) throws(ClientError) {
        from = try End(result.member("from"))
        to = try End(result.member("to"))
        space = try result.text("space")
        flip = result["flip"]?.number
        lowest = result["lowest"]?.number
        frames = []
        for element in try result.elements("frames") { frames.append(try Frame(element)) }
    }
}

extension TransitionAnswer.End {
    fileprivate init(_ document: JSONDocument) throws(ClientError) {
        color = document.has("color") ? try document.color("color") : nil
        image = document.has("image") ? try ImageFacts(document.member("image")) : nil
    }
}

extension TransitionAnswer.Frame {
    fileprivate init(_ document: JSONDocument) throws(ClientError) {
        self.init(
            position: try document.number("position"),
            background: try document.color("background"),
            foreground: try TextColor(document.member("foreground")),
            secondary: try TextColor(document.member("secondary")))
    }
}
