/// The ways of averaging an area's colours, all of them weighted by alpha.
public enum AverageKind: String, CaseIterable, Sendable {
    /// The mean of the encoded sRGB values.
    case simple
    /// The root of the mean of their squares.
    case squareRoot
    /// The mean in linear light, encoded again.
    case linear
    /// The mean in OKLab.
    case oklab
}
