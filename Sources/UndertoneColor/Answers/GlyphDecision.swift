/// Whether a small picture is drawn in its own colours or as a shape in one colour.
public struct GlyphDecision: Equatable, Sendable {
    /// How to draw it.
    public enum Style: String, CaseIterable, Sendable {
        /// In its own colours.
        case original
        /// In one colour, through its alpha.
        case tint
    }

    /// Why.
    public enum Reason: String, CaseIterable, Sendable {
        /// It has several colours, which a tint would lose.
        case severalColors
        /// It is an opaque block, which a tint would make a blank.
        case opaqueBlock
        /// Its own colours cannot be told from the background well enough.
        case tooLittleContrast
        /// It is a shape in one colour.
        case shapeOnly
    }

    /// The contrast ratio by which a glyph is told from its background (WCAG 2.x, 1.4.11).
    public static let target = 3.0
    /// The mean alpha from which on a glyph is a block.
    public static let blockOpacity = 0.98
    /// The share from which on other colours than the main one count together, so that softened
    /// edges are no colours of their own.
    public static let colorShare = 0.04
    /// The deltaE-OK from which on two colours are several.
    public static let colorDistance = 0.08

    /// How to draw the glyph.
    public var style: Style
    /// Why.
    public var reason: Reason
    /// The tint, or the heaviest of the glyph's own colours that reaches `target`.
    public var color: ContrastColor

    /// Decides; nil where nothing of the glyph can be seen.
    ///
    /// Its own colours are kept where it has several or is an opaque block, and at least half of it
    /// by alpha reaches `target` on the background.
    ///
    /// - Parameters:
    ///   - opacity: The glyph's mean alpha.
    ///   - clusters: The glyph's clusters.
    ///   - background: What it is drawn on.
    ///   - tint: The colour that it is drawn in otherwise.
    public init?(opacity: Double, _ clusters: [ColorCluster], on background: RGB8, tint: RGB8) {
        guard opacity > 0, !clusters.isEmpty else { return nil }
        let isBlock = opacity >= Self.blockOpacity
        let visible = clusters.filter { contrastRatio($0.color, background) >= Self.target }
        let share = visible.reduce(0) { $0 + Double($1.weight) }
        let several = Self.hasSeveralColors(clusters)
        style = .tint
        if !several && !isBlock {
            reason = .shapeOnly
        } else if share < 0.5 {
            reason = .tooLittleContrast
        } else {
            style = .original
            reason = several ? .severalColors : .opaqueBlock
        }
        let shown = style == .original ? visible[0].color : tint
        color = ContrastColor(shown, on: background, target: Self.target)
    }

    private static func hasSeveralColors(_ clusters: [ColorCluster]) -> Bool {
        let main = clusters[0].color.oklab
        let others = clusters.filter { OKLab.distance($0.color.oklab, main) >= colorDistance }
        return others.reduce(0) { $0 + Double($1.weight) } >= colorShare
    }
}
