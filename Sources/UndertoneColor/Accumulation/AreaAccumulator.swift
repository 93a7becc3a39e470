/// Reduces an area's pixels to an `AreaSummary`.
///
/// Every sum is of integers, so that the order of the pixels does not change one bit of the result.
///
/// No sum can overflow. A pixel's `mass` is its alpha (at most 65280) times its weight (at most
/// 256), below 2^24; what it multiplies is below 2^31; a run has at most 256 = 2^8 pixels: below
/// 2^63. After each run the sums move into 128 bits, which would take 2^65 such runs.
public struct AreaAccumulator: ~Copyable {
    /// How many pixels are summed up before the sums are moved into 128 bits.
    private static let runLength = 256
    /// What cube roots are multiplied with before they are rounded.
    private static let rootScale = Float(1 << 22)

    private var sums = Sums()
    /// The opaque pixels, whose distribution is the same whatever is behind them.
    private let opaqueLuminance = LuminanceHistogram()
    private let opaqueColors = BlueExtents()
    /// The translucent pixels: as they are, under white and under black text.
    private let luminance = LuminanceHistogram()
    private let underWhiteLuminance = LuminanceHistogram()
    private let underWhiteColors = BlueExtents()
    private let underBlackLuminance = LuminanceHistogram()
    private let underBlackColors = BlueExtents()
    private let behindWhiteText: RGB8
    private let behindBlackText: RGB8

    /// Creates an accumulator of no pixels.
    ///
    /// - Parameter backdrop: The colour behind translucent pixels; without one they lie on white
    ///   under white text and on black under black text.
    public init(backdrop: RGB8?) {
        behindWhiteText = backdrop ?? .white
        behindBlackText = backdrop ?? .black
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
            let end = min(start + Self.runLength, pixels.count)
            unsafe addRun(
                UnsafeBufferPointer(rebasing: pixels[start..<end]),
                weights: weights.map { unsafe UnsafeBufferPointer(rebasing: $0[start..<end]) })
            start = end
        }
    }

    private mutating func addRun(
        _ pixels: UnsafeBufferPointer<SamplePixel>, weights: UnsafeBufferPointer<UInt16>?
    ) {
        let tables = PixelTables.shared
        var area: UInt64 = 0
        var mass: UInt64 = 0
        var simple = SIMD4<UInt64>()
        var squares = SIMD4<UInt64>()
        var linear = SIMD4<UInt64>()
        var roots = SIMD4<UInt64>()
        for index in 0..<pixels.count {
            let pixel = unsafe pixels[index]
            let weight = unsafe weights.map { unsafe UInt64($0[index]) } ?? 256
            area &+= weight
            let alpha = UInt64(pixel.w)
            if alpha == 0 || weight == 0 { continue }
            let m = alpha &* weight
            mass &+= m
            let wide = SIMD4<UInt64>(truncatingIfNeeded: pixel)
            simple &+= wide &* m
            squares &+= ((wide &* wide &+ 128) &>> 8) &* m
            let whole = (wide &+ 128) &>> 8
            let fraction = SIMD4<Int64>(truncatingIfNeeded: wide &- whole &<< 8)
            var light = SIMD4<UInt64>()
            for channel in 0..<3 {
                let entry = tables.linear[Int(whole[channel] & 255)]
                let step = (Int64(entry.y) &* fraction[channel] &+ 128) >> 8
                light[channel] = UInt64(truncatingIfNeeded: Int64(entry.x) &+ step)
            }
            linear &+= light &* m
            roots &+= Self.coneRoots(light) &* m

            let color = RGB8(
                red: UInt8(truncatingIfNeeded: whole.x), green: UInt8(truncatingIfNeeded: whole.y),
                blue: UInt8(truncatingIfNeeded: whole.z))
            if alpha >= 65280 {
                opaqueLuminance.add(tables.key(color), weight: weight)
                opaqueColors.add(color.packed)
            } else {
                luminance.add(tables.key(color), weight: m)
                let onWhite = color.composited(alpha: pixel.w, on: behindWhiteText)
                underWhiteLuminance.add(tables.key(onWhite), weight: weight)
                underWhiteColors.add(onWhite.packed)
                let onBlack = color.composited(alpha: pixel.w, on: behindBlackText)
                underBlackLuminance.add(tables.key(onBlack), weight: weight)
                underBlackColors.add(onBlack.packed)
            }
        }
        sums.area += UInt128(area)
        sums.mass += UInt128(mass)
        for channel in 0..<3 {
            sums.simple[channel] += UInt128(simple[channel])
            sums.squares[channel] += UInt128(squares[channel])
            sums.linear[channel] += UInt128(linear[channel])
            sums.roots[channel] += UInt128(roots[channel])
        }
    }

    /// The cube roots of the cone responses to a colour in linear light times 2^30, times 2^22.
    @inline(__always)
    private static func coneRoots(_ light: SIMD4<UInt64>) -> SIMD4<UInt64> {
        let scale = Float(1.0 / Double(1 << 30))
        let red = Float(Int32(light.x)) * scale
        let green = Float(Int32(light.y)) * scale
        let blue = Float(Int32(light.z)) * scale
        let l = 0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue
        let m = 0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue
        let s = 0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue
        let roots = SIMD4(l, m, s, 0).fastCubeRoot * rootScale + 0.5
        return SIMD4(UInt64(roots.x), UInt64(roots.y), UInt64(roots.z), 0)
    }

    /// Finishes the sums.
    public consuming func summary() -> AreaSummary {
        var summary = AreaSummary()
        guard sums.mass > 0 else { return summary }
        let mass = Double(sums.mass)
        summary.opacity = min(1, mass / (Double(sums.area) * 65280))
        summary.simple = sums.simple.means(mass, scale: 256)
        let squares = sums.squares.means(mass, scale: 256)
        summary.squareRoot = squares.squareRoot()
        summary.linear = sums.linear.means(mass, scale: Double(1 << 30))
        summary.oklab = OKLab.fromConeRoots(sums.roots.means(mass, scale: Double(Self.rootScale)))

        luminance.add(opaqueLuminance, times: 65280)
        summary.luminance = LuminanceStatistics(
            spread: luminance.spread(), mean: Luminance.of(summary.linear))

        underWhiteLuminance.add(opaqueLuminance, times: 1)
        let underWhite = underWhiteLuminance.spread()
        summary.underWhiteText = underWhite.quantiles()
        summary.darkestUnderWhiteText = underWhite.darkest
        underBlackLuminance.add(opaqueLuminance, times: 1)
        let underBlack = underBlackLuminance.spread()
        summary.underBlackText = underBlack.quantiles()
        summary.lightestUnderBlackText = underBlack.lightest

        underWhiteColors.add(opaqueColors)
        summary.worstUnderBlackScrim = ScrimExtremes.worstUnderBlack(underWhiteColors.upperFront())
        underBlackColors.add(opaqueColors)
        summary.worstUnderWhiteScrim = ScrimExtremes.worstUnderWhite(underBlackColors.lowerFront())
        return summary
    }
}

/// The sums over all pixels.
private struct Sums {
    /// Three sums, for red, green and blue or their like.
    struct Triple {
        private var x: UInt128 = 0, y: UInt128 = 0, z: UInt128 = 0

        subscript(channel: Int) -> UInt128 {
            get { channel == 0 ? x : channel == 1 ? y : z }
            set {
                switch channel {
                case 0: x = newValue
                case 1: y = newValue
                default: z = newValue
                }
            }
        }

        func means(_ mass: Double, scale: Double) -> SIMD3<Double> {
            SIMD3(
                Double(x) / (mass * scale), Double(y) / (mass * scale), Double(z) / (mass * scale))
        }
    }

    var area: UInt128 = 0, mass: UInt128 = 0
    var simple = Triple(), squares = Triple(), linear = Triple(), roots = Triple()
}

extension LuminanceSpread {
    /// The luminances at the ranks (i + ½)/256, on the sRGB curve in 1/65535 steps.
    fileprivate func quantiles() -> [UInt16] {
        let count = AreaSummary.quantileCount
        return luminances(atRanks: (0..<count).map { 2 * $0 + 1 }, of: 2 * count).map {
            UInt16((TransferFunction.encode($0) * 65535).rounded())
        }
    }
}

extension LuminanceStatistics {
    fileprivate init(spread: LuminanceSpread, mean: Double) {
        let ranks = spread.luminances(atRanks: [5, 50, 95], of: 100)
        min = spread.darkest.relativeLuminance
        max = spread.lightest.relativeLuminance
        (p05, p50, p95) = (ranks[0], ranks[1], ranks[2])
        // The mean is of finer values than the extremes, which are of eight-bit colours.
        self.mean = Swift.min(max, Swift.max(min, mean))
    }
}

extension RGB8 {
    /// The eight-bit composite of this colour with an alpha of 0…65280 on an opaque one.
    func composited(alpha: UInt16, on backdrop: RGB8) -> RGB8 {
        func mix(_ over: UInt8, _ under: UInt8) -> UInt8 {
            let alpha = UInt32(alpha)
            let sum = UInt32(over) * alpha + UInt32(under) * (65280 - alpha)
            return UInt8((sum + 32640) / 65280)
        }
        return RGB8(
            red: mix(red, backdrop.red), green: mix(green, backdrop.green),
            blue: mix(blue, backdrop.blue))
    }
}
