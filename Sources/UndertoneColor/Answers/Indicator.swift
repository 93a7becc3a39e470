/// The strip under a picture that shows which of several it is: tabs with labels, or a row of dots.
public struct Indicator: Equatable, Sendable {
    /// The layer over the strip. Its `background` is the strip's colour.
    public var material: Material
    /// The label of the active tab: white or black, at least 7.
    public var primary: ContrastColor
    /// The labels of the other tabs: at least 4.5.
    public var secondary: ContrastColor
    /// The dot of the current page: at least 4.5.
    public var currentDot: ContrastColor
    /// The dots of the other pages: at least 3.
    public var otherDot: ContrastColor

    /// Answers for an area; nil where nothing of it can be seen.
    ///
    /// - Parameters:
    ///   - summary: What the picture, or its bottom edge, was reduced to.
    ///   - average: The mean that is the strip's background.
    ///   - base: What the layer is laid over.
    ///   - scheme: The layer's kind; nil for the one that needs to be less opaque.
    public init?(
        _ summary: AreaSummary, average: AverageKind, over base: Material.Base = .background,
        scheme: Scheme? = nil
    ) {
        guard let background = summary.average(average) else { return nil }
        material = Material(background: background, summary, over: base, scheme: scheme)
        let worst = material.worst
        let text: RGB8 = material.scheme == .dark ? .white : .black
        primary = ContrastColor(text, on: worst, target: Material.Target.primary)
        func quieter(_ target: Double) -> ContrastColor {
            ContrastColor(text, on: worst, target: target).quieter(on: worst, target: target)
        }
        secondary = quieter(Material.Target.secondary)
        currentDot = secondary
        otherDot = quieter(Material.Target.dot)
    }
}
