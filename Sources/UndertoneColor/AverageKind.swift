/// A way to take the mean of a picture's colours. Each is weighted by alpha.
public enum AverageKind: String, CaseIterable, Sendable {
    /// The mean of the encoded sRGB values.
    case simple
    /// The root of the mean of the squared encoded values.
    case squareRoot
    /// The mean in linear light, encoded again.
    case linear
    /// The mean in OKLab; what sRGB cannot show is cut off per channel.
    case oklab
}
