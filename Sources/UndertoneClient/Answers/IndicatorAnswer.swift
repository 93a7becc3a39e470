public import UndertoneColor

/// The answer to an `indicator` question.
public struct IndicatorAnswer: Equatable, Sendable {
    /// Facts about the picture.
    public var image: ImageFacts
    /// The mean alpha of the area, 0…1.
    public var opacity: Double
    /// The strip; nil where nothing of the area can be seen.
    public var strip: Strip?
    /// The glyph, if one was asked about.
    public var glyph: Glyph?

    /// The strip under a picture: tabs with labels, or a row of dots.
    public struct Strip: Equatable, Sendable {
        /// The average that was asked for.
        public var base: RGB8
        /// Whether the material is dark, and what is on it light.
        public var isDark: Bool
        /// The layer over the strip.
        public var material: ColorLayer
        /// The strip's colour: the base under the material.
        public var background: RGB8
        /// The labels of the active tab and of the others.
        public var labels: (active: TextColor, others: TextColor)
        /// The dots of the current page and of the others.
        public var dots: (current: TextColor, others: TextColor)

        /// Compares everything.
        public static func == (one: Strip, other: Strip) -> Bool {
            one.base == other.base && one.isDark == other.isDark && one.material == other.material
                && one.background == other.background && one.labels == other.labels
                && one.dots == other.dots
        }
    }

    /// The small picture on the strip.
    public struct Glyph: Equatable, Sendable {
        /// Facts about it.
        public var image: ImageFacts
        /// How to draw it; nil where nothing of it, or of the area, can be seen.
        public var drawing: Drawing?
    }

    /// How a glyph is drawn.
    public struct Drawing: Equatable, Sendable {
        /// Whether it is drawn in one colour, through its alpha, rather than in its own colours.
        public var isTinted: Bool
        /// Why, as the wire names it.
        public var reason: String
        /// The tint, or the heaviest of its own colours that can be told from the strip.
        public var color: TextColor
    }
}
