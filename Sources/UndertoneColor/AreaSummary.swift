/// Everything that later questions need to know of the pixels of one area of a picture.
///
/// Where `opacity` is 0 nothing of the area can be seen, and every other field is zero.
public struct AreaSummary: Equatable, Sendable {
    /// The number of steps in each quantile table.
    public static let quantileCount = 256

    /// The mean alpha, 0…1.
    public var opacity = 0.0
    /// The alpha-weighted mean of the encoded sRGB values, 0…255 a channel.
    public var simple = SIMD3<Double>()
    /// The root of the alpha-weighted mean of the squared encoded values, 0…255 a channel.
    public var squareRoot = SIMD3<Double>()
    /// The alpha-weighted mean in linear light, 0…1 a channel.
    public var linear = SIMD3<Double>()
    /// The alpha-weighted mean in OKLab: L 0…1, a and b within ±0.5.
    public var oklab = SIMD3<Double>()
    /// The relative luminance of the area's pixels, weighted by alpha.
    public var luminance = LuminanceStatistics()

    /// What lies under white text: the luminance of each pixel composited on the backdrop, or on
    /// white where none was given, at the ranks (i + ½) / 256, ascending. On the sRGB curve in
    /// 1/65535 steps, so that a table of equal shares is within 1/512 of every true share. Pixels
    /// of different luminance within less than 1/2000 of the curve may be taken as one, of their
    /// mean.
    public var underWhiteText: [UInt16] = []
    /// The same under black text: composited on the backdrop, or on black where none was given.
    public var underBlackText: [UInt16] = []

    /// The darkest colour under white text and the lightest under black text, each composited as
    /// above: where even these miss a target, no pixel reaches it.
    public var darkestUnderWhiteText = RGB8.black, lightestUnderBlackText = RGB8.black

    /// For each opacity step 0…255 of a black scrim, the pixel (already composited on its
    /// backdrop) whose 8-bit composite with the scrim is then the worst under white text.
    public var worstUnderBlackScrim: [RGB8] = []
    /// The same for a white scrim under black text.
    public var worstUnderWhiteScrim: [RGB8] = []

    /// Creates the summary of an area in which nothing can be seen.
    public init() {}
}

/// How the relative luminance (WCAG 2.x, 0…1) of an area's pixels is spread.
///
/// Percentiles are by nearest rank.
public struct LuminanceStatistics: Equatable, Sendable {
    public var mean = 0.0, min = 0.0, p05 = 0.0, p50 = 0.0, p95 = 0.0, max = 0.0

    /// Creates statistics of nothing.
    public init() {}
}
