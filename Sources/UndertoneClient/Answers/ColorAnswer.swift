public import UndertoneColor

/// The answer to a `color` question.
public struct ColorAnswer: Equatable, Sendable {
    /// Facts about the picture.
    public var image: Image
    /// The whole picture.
    public var picture: Area
    /// The regions in the order in which they were asked for.
    public var regions: [Region]

    /// Facts about the picture as a whole.
    public struct Image: Equatable, Sendable {
        /// The size in pixels as displayed.
        public var width, height: Int
        /// The format, as `status` lists them.
        public var format: String
        /// Whether all of the picture could be decoded.
        public var isComplete: Bool
    }

    /// A named part of the picture.
    public struct Region: Equatable, Sendable {
        /// The name that it was asked for by.
        public var name: String
        /// Its colours.
        public var area: Area
    }

    /// The colours of the picture or of a part of it.
    public struct Area: Equatable, Sendable {
        /// The mean alpha, 0…1.
        public var opacity: Double
        /// The colours; nil where nothing can be seen.
        public var colors: Colors?
    }

    /// What an area looks like, and what can be read on it.
    public struct Colors: Equatable, Sendable {
        /// All averages, those first that this client knows.
        public var averages: [Average]
        /// The average that was asked for.
        public var background: RGB8
        /// Whether the background is dark, and text on it light.
        public var isDark: Bool
        /// The colour for text.
        public var foreground: TextColor
        /// The colour for less important text.
        public var secondary: TextColor
    }

    /// An average by its name.
    public struct Average: Equatable, Sendable {
        /// How it was averaged, as the wire names it.
        public var name: String
        /// The colour.
        public var color: RGB8
    }

    /// A colour for text, with what it was verified to reach.
    public struct TextColor: Equatable, Sendable {
        /// The colour.
        public var color: RGB8
        /// Its contrast ratio to the background, 1…21, never rounded up.
        public var contrast: Double
        /// Whether the ratio is the one that was asked for, or above.
        public var meets: Bool
    }
}
