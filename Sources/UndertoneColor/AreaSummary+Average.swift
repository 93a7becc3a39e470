extension AreaSummary {
    /// The area's mean colour, halves rounded up; nil where nothing of the area can be seen.
    public func average(_ kind: AverageKind) -> RGB8? {
        guard opacity > 0 else { return nil }
        return switch kind {
        case .simple: RGB8(rounding: simple)
        case .squareRoot: RGB8(rounding: squareRoot)
        case .linear: RGB8(linear: linear)
        case .oklab: RGB8(oklab: oklab)
        }
    }
}
