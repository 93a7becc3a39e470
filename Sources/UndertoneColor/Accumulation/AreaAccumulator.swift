/// Reduces an area's pixels to an `AreaSummary`.
///
/// Every sum is of integers, none can overflow (see `RunSums`), and no extreme depends on the order
/// of the pixels: any order gives the same bits.
public struct AreaAccumulator: ~Copyable {
    private var sums = AreaSums()
    private let opaque = OpaquePixels()
    /// The other pixels; made with the first.
    private var mixed: MixedPixels?
    private let backdrop: RGB8?

    /// Creates an accumulator of no pixels.
    ///
    /// - Parameter backdrop: The colour behind translucent pixels; without one they lie on white
    ///   under white text and on black under black text.
    public init(backdrop: RGB8?) {
        self.backdrop = backdrop
    }

    /// Adds pixels, in any order: a row or a part of one.
    ///
    /// - Parameters:
    ///   - pixels: The pixels.
    ///   - weights: The part of each pixel that lies in the area, in 1/256, 0…256; as many as there
    ///     are pixels. Nil where all of them lie in it whole.
    public mutating func add(
        _ pixels: UnsafeBufferPointer<SamplePixel>, weights: UnsafeBufferPointer<UInt16>?
    ) {
        if let weights = unsafe weights { precondition(weights.count == pixels.count) }
        var start = 0
        while start < pixels.count {
            let run = start..<min(start + OpaquePixels.runLength, pixels.count)
            let slice = unsafe UnsafeBufferPointer(rebasing: pixels[run])
            var sums = RunSums()
            if let weights = unsafe weights {
                unsafe addMixed(slice, UnsafeBufferPointer(rebasing: weights[run]), &sums)
            } else if unsafe OpaquePixels.areOpaque(slice) {
                unsafe opaque.add(slice, &sums)
            } else {
                unsafe addMixed(slice, nil, &sums)
            }
            self.sums.add(sums)
            start = run.upperBound
        }
    }

    /// Adds a run of which any pixel may be translucent or lie in the area in part.
    private mutating func addMixed(
        _ pixels: UnsafeBufferPointer<SamplePixel>, _ weights: UnsafeBufferPointer<UInt16>?,
        _ sums: inout RunSums
    ) {
        var start = 0
        while start < pixels.count {
            let whole = unsafe isWhole(pixels, weights, start)
            var end = start + 1
            while end < pixels.count, unsafe isWhole(pixels, weights, end) == whole { end += 1 }
            let stretch = unsafe UnsafeBufferPointer(rebasing: pixels[start..<end])
            if whole {
                unsafe opaque.add(stretch, &sums)
            } else {
                if mixed == nil { mixed = MixedPixels(backdrop: backdrop) }
                let range = start..<end
                unsafe mixed!.add(
                    stretch, weights.map { unsafe UnsafeBufferPointer(rebasing: $0[range]) }, &sums)
            }
            start = end
        }
    }

    /// Whether a pixel is opaque and lies in the area whole.
    private func isWhole(
        _ pixels: UnsafeBufferPointer<SamplePixel>, _ weights: UnsafeBufferPointer<UInt16>?,
        _ index: Int
    ) -> Bool {
        unsafe pixels[index].w >= SamplePixel.opaque
            && weights.map { unsafe $0[index] == 256 } ?? true
    }

    /// Finishes the sums.
    public consuming func summary() -> AreaSummary {
        var summary = AreaSummary()
        guard sums.mass > 0 else { return summary }
        summary.opacity = min(
            1, Double(sums.mass) / (Double(sums.area) * Double(SamplePixel.opaque)))
        summary.simple = sums.mean(sums.values, scale: 256)
        summary.squareRoot = sums.mean(sums.squares, scale: 256).squareRoot()
        summary.linear = sums.mean(sums.light, scale: PixelTables.lightScale)
        summary.oklab = OKLab.fromConeRoots(sums.mean(sums.roots, scale: 1) / ConeRoots.scales)
        let mean = Luminance.of(summary.linear)

        let upper = opaque.colors.upperFront()
        let lower = opaque.colors.lowerFront()
        var range = KeyRange()
        for color in upper + lower { range.add(PixelTables.shared.key(color)) }
        if let mixed {
            mixed.add(opaque)
            var pixels = mixed.range
            pixels.add(range)
            summary.luminance = mixed.luminance.spread().statistics(pixels, mean: mean)
            summary.underWhiteText = mixed.underWhite.luminance.spread().quantiles()
            summary.underBlackText = mixed.underBlack.luminance.spread().quantiles()
            var (white, black) = (mixed.underWhite.range, mixed.underBlack.range)
            white.add(range)
            black.add(range)
            summary.darkestUnderWhiteText = white.darkest
            summary.lightestUnderBlackText = black.lightest
            summary.worstUnderBlackScrim = ScrimExtremes.worstUnderBlack(
                mixed.underWhite.colors.upperFront())
            summary.worstUnderWhiteScrim = ScrimExtremes.worstUnderWhite(
                mixed.underBlack.colors.lowerFront())
        } else {
            let spread = opaque.luminance.spread()
            summary.luminance = spread.statistics(range, mean: mean)
            summary.underWhiteText = spread.quantiles()
            summary.underBlackText = summary.underWhiteText
            summary.darkestUnderWhiteText = range.darkest
            summary.lightestUnderBlackText = range.lightest
            summary.worstUnderBlackScrim = ScrimExtremes.worstUnderBlack(upper)
            summary.worstUnderWhiteScrim = ScrimExtremes.worstUnderWhite(lower)
        }
        return summary
    }
}
