public import UndertoneColor

/// A colour for text, with what it was verified to reach.
public struct TextColor: Equatable, Sendable {
    /// The colour.
    public var color: RGB8
    /// Its contrast ratio to the background, 1…21, never rounded up.
    public var contrast: Double
    /// Whether the ratio is the one that was asked for, or above.
    public var meets: Bool
}

/// A layer of one colour over a picture or a background.
public struct ColorLayer: Equatable, Sendable {
    /// The colour.
    public var color: RGB8
    /// How opaque it is, 0…1.
    public var opacity: Double
}

extension TextColor {
    init(_ document: JSONDocument) throws(ClientError) {
        self.init(
            color: try document.color("color"), contrast: try document.number("contrast"),
            meets: try document.boolean("meets"))
    }
}

extension ColorLayer {
    init(_ document: JSONDocument) throws(ClientError) {
        self.init(
            color: try document.color("color"), opacity: try document.number("opacity"))
    }
}
