public import UndertoneColor

/// The answer to a `color` question.
public struct ColorAnswer: Equatable, Sendable {
    /// Facts about the picture.
    public var image: ImageFacts
    /// The whole picture.
    public var picture: Area
    /// The regions in the order in which they were asked for.
    public var regions: [Region]

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
        /// What can be read on the picture itself; nil where the daemon does not tell.
        public var overImage: OverImage?
    }

    /// An average by its name.
    public struct Average: Equatable, Sendable {
        /// How it was averaged, as the wire names it.
        public var name: String
        /// The colour.
        public var color: RGB8
    }

    /// What can be read on the pixels themselves, rather than on their mean.
    public struct OverImage: Equatable, Sendable {
        /// Black or white, with its ratio at the worst pixel.
        public var text: TextColor
        /// The share of the pixels on which it reaches the ratio that was asked for.
        public var coverage: Double
        /// The layer between picture and text with which it does everywhere; its opacity may be 0.
        public var scrim: ColorLayer
    }
}
