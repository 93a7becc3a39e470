/// The pixels that a vector picture is rendered to.
///
/// The loader fits a picture into whole pixels and leaves a margin where the shape is not quite
/// that of the pixels, as if the picture were transparent there. So of all sizes that the sample
/// allows one is taken at which next to no margin is left.
struct VectorCanvas: Equatable {
    /// The pixels.
    private(set) var size: PixelSize
    /// How much of each pixel of the outermost rows, or columns, is inside the picture; of a single
    /// row or column, of that one.
    private(set) var edgeCoverage: Double
    /// Whether it is the rows that are partly outside, rather than the columns.
    private(set) var leavesRows: Bool

    /// The longest side that Cairo has surfaces for.
    static let longestSide = 32_767

    /// Pixels that lack so little come out as they are, once they are divided by what is inside.
    private static let negligibleMargin = 1.0 / 64

    /// Fits a picture of some size, whose real shape may be known better than in whole pixels.
    ///
    /// `nil` if the picture is so narrow that even on the longest side it would fill less than a
    /// quarter of a pixel.
    init?(_ stated: PixelSize, aspectRatio: Double?, side: Int) {
        let ratio = Self.shape(stated, aspectRatio)
        guard ratio.isFinite, ratio > 0 else { return nil }
        let isWide = ratio >= 1
        // How often the shorter side fits into the longer one.
        let slimness = isWide ? ratio : 1 / ratio
        let shortest = min(max(stated.width, stated.height, 1), side)
        let longest = max(2 * side, Int(min(slimness, Double(Self.longestSide))))
        var best: (long: Int, short: Int, margin: Double, isAcross: Bool)?
        for long in shortest...longest {
            let short = Double(long) / slimness
            let above = short.rounded(.up)
            var candidate = (long, Int(above), above - short, true)
            // One pixel less makes the picture smaller, and leaves a margin at the longer side.
            let below = short.rounded(.down)
            if below >= 1, (short - below) * slimness < candidate.2 {
                candidate = (long, Int(below), (short - below) * slimness, false)
            }
            if candidate.2 < best?.margin ?? .infinity { best = candidate }
            if candidate.2 < Self.negligibleMargin { break }
        }
        guard let best, best.short > 1 || best.margin <= 0.75 else { return nil }
        size =
            isWide
            ? PixelSize(width: best.long, height: best.short)
            : PixelSize(width: best.short, height: best.long)
        leavesRows = isWide == best.isAcross
        let extent = best.isAcross ? best.short : best.long
        // Half of what is left over lies at each edge; of a single pixel, all of it.
        edgeCoverage = 1 - (extent == 1 ? best.margin : best.margin / 2)
    }

    /// The width as a multiple of the height: the document's own, unless the loader, whose size is
    /// rounded, sees another one.
    private static func shape(_ stated: PixelSize, _ aspectRatio: Double?) -> Double {
        let width = Double(stated.width)
        let height = Double(stated.height)
        guard let aspectRatio, aspectRatio > 0, aspectRatio.isFinite else { return width / height }
        let doubt = 0.51
        let isPossible =
            aspectRatio * (height + doubt) >= width - doubt
            && aspectRatio * (height - doubt) <= width + doubt
        return isPossible ? aspectRatio : width / height
    }
}
