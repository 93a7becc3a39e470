public import UndertoneColor

/// The answer to a `theme` question.
public struct ThemeAnswer: Equatable, Sendable {
    /// Facts about the picture.
    public var image: ImageFacts
    /// The mean alpha, 0…1.
    public var opacity: Double
    /// The theme; nil where nothing can be seen.
    public var theme: Theme?

    /// Sixteen terminal colours and the roles of an interface.
    public struct Theme: Equatable, Sendable {
        /// Whether the background is dark, and text on it light.
        public var isDark: Bool
        /// The background, the text on it, and the terminal's cursor.
        public var background, foreground, cursor: RGB8
        /// The terminal's colours 0…15.
        public var colors: [RGB8]
        /// The roles: `accent`, `surface`, `muted`, `border`, `error`, `success`, `warning`,
        /// `info`.
        public var roles: [Role]
        /// The lowest ratio, on the background and the surface, of all that is meant as text,
        /// `color8` apart.
        public var lowest: Double

        /// Finds a role's colour by its name, nil where the daemon does not tell it.
        public func role(_ name: String) -> RGB8? {
            roles.first { $0.name == name }?.color
        }
    }

    /// A colour by what it is for.
    public struct Role: Equatable, Sendable {
        /// What it is for, as the wire names it.
        public var name: String
        /// The colour.
        public var color: RGB8
    }
}

extension ThemeAnswer {
    /// Takes the result of a `theme` reply of the format `undertone`.
    init(_ result: JSONDocument) throws(ClientError) {
        image = try ImageFacts(result.member("image"))
        opacity = try result.number("opacity")
        theme = result.has("background") ? try Theme(result) : nil
    }
}

extension ThemeAnswer.Theme {
    fileprivate init(_ document: JSONDocument) throws(ClientError) {
        isDark = try document.text("scheme") == "dark"
        background = try document.color("background")
        foreground = try document.color("foreground")
        cursor = try document.color("cursor")
        let named = try document.member("colors")
        colors = []
        for index in 0..<16 { colors.append(try named.color("color\(index)")) }
        roles = []
        for member in try document.member("roles").members {
            roles.append(.init(name: member.name, color: try RGB8(member.value)))
        }
        lowest = try document.number("lowest")
    }
}
