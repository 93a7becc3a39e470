/// What `color` answers for a picture or a region, all from its summary.
public struct AreaAnswer: Equatable, Sendable {
    /// The mean alpha, above 0, at most 1.
    public var opacity: Double
    /// The mean colour in each of the four ways.
    public var simple, squareRoot, linear, oklab: RGB8
    /// The mean colour that was asked for.
    public var background: RGB8
    /// What the background calls for.
    public var scheme: Scheme
    /// The better of black and white on the background: never below 4.58.
    public var foreground: ContrastColor
    /// The quieter text: the foreground moved towards the background as far as the target allows.
    public var secondary: ContrastColor
    /// How the luminance of the area's pixels is spread.
    public var luminance: LuminanceStatistics
    /// What can be read on top of the pixels themselves.
    public var overImage: OverImage

    /// Answers for an area; nil where nothing of it can be seen.
    ///
    /// - Parameters:
    ///   - summary: What the area was reduced to.
    ///   - average: The mean that is the background.
    ///   - target: The contrast ratio to be reached, 1…21.
    public init?(_ summary: AreaSummary, average: AverageKind, target: Double) {
        guard let simple = summary.average(.simple),
            let squareRoot = summary.average(.squareRoot),
            let linear = summary.average(.linear),
            let oklab = summary.average(.oklab)
        else { return nil }
        opacity = summary.opacity
        (self.simple, self.squareRoot, self.linear, self.oklab) = (
            simple, squareRoot, linear, oklab
        )
        background =
            switch average {
            case .simple: simple
            case .squareRoot: squareRoot
            case .linear: linear
            case .oklab: oklab
            }
        foreground = .foreground(on: background, target: target)
        scheme = foreground.color == .white ? .dark : .light
        secondary = foreground.quieter(on: background, target: target)
        luminance = summary.luminance
        overImage = OverImage(summary, background: background, target: target)
    }

    /// The mean colour in one of the four ways.
    public func average(_ kind: AverageKind) -> RGB8 {
        switch kind {
        case .simple: simple
        case .squareRoot: squareRoot
        case .linear: linear
        case .oklab: oklab
        }
    }
}
