public import UndertoneColor

/// The answer to a `palette` question.
public struct PaletteAnswer: Equatable, Sendable {
    /// Facts about the picture.
    public var image: ImageFacts
    /// The mean alpha, 0…1.
    public var opacity: Double
    /// The colours, most of the picture first; none where nothing can be seen.
    public var colors: [Swatch]
    /// The most characteristic colour that has a hue, if there is one.
    public var accent: Swatch?

    /// A colour of the picture.
    public struct Swatch: Equatable, Sendable {
        /// The colour.
        public var color: RGB8
        /// How much of what can be seen it stands for, 0…1.
        public var share: Double
        /// The colour for text on it.
        public var foreground: TextColor
    }
}

extension PaletteAnswer {
    /// Takes the result of a `palette` reply.
    init(_ result: JSONDocument) throws(ClientError) {
        image = try ImageFacts(result.member("image"))
        opacity = try result.number("opacity")
        colors = []
        for element in try result.elements("colors") { colors.append(try Swatch(element)) }
        accent = result.has("accent") ? try Swatch(result.member("accent")) : nil
    }
}

extension PaletteAnswer.Swatch {
    fileprivate init(_ document: JSONDocument) throws(ClientError) {
        self.init(
            color: try document.color("color"), share: try document.number("share"),
            foreground: try TextColor(document.member("foreground")))
    }
}
