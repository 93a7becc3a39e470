import Glibc

/// A colour in OKLab's cylindrical form.
public struct OKLCh: Equatable, Sendable {
    /// The chroma below which a colour has no hue to speak of.
    public static let greyChroma = 0.012

    /// 0 for black, 1 for white.
    public var lightness: Double
    /// The distance from grey: 0…0.33 in sRGB.
    public var chroma: Double
    /// The angle in degrees, 0..<360: red 29, yellow 110, green 142, cyan 195, blue 264,
    /// magenta 328. It means little where `isGrey`.
    public var hue: Double

    /// Creates a colour of its parts.
    public init(lightness: Double, chroma: Double, hue: Double) {
        self.lightness = lightness
        self.chroma = chroma
        self.hue = hue
    }

    /// Creates a colour from OKLab.
    public init(oklab: SIMD3<Double>) {
        lightness = oklab.x
        chroma = (oklab.y * oklab.y + oklab.z * oklab.z).squareRoot()
        let angle = atan2(oklab.z, oklab.y) * 180 / .pi
        hue = angle < 0 ? angle + 360 : angle
    }

    /// The colour in OKLab.
    public var oklab: SIMD3<Double> {
        let angle = hue * .pi / 180
        return SIMD3(lightness, chroma * cos(angle), chroma * sin(angle))
    }

    /// Whether the colour has no hue to speak of.
    public var isGrey: Bool { chroma < Self.greyChroma }

    /// The same colour, or, where sRGB cannot show it, the one of the same lightness and hue with
    /// the most chroma that sRGB can.
    public var withinSRGB: OKLCh {
        var result = self
        if result.isInSRGB { return result }
        var (shown, missed) = (0.0, chroma)
        for _ in 0..<20 {
            result.chroma = (shown + missed) / 2
            if result.isInSRGB { shown = result.chroma } else { missed = result.chroma }
        }
        result.chroma = shown
        return result
    }

    private var isInSRGB: Bool {
        let linear = OKLab.toLinear(oklab)
        // The matrices are rounded to ten digits, and an eight-bit value to much less.
        return linear.min() >= -1e-5 && linear.max() <= 1 + 1e-5
    }
}

extension RGB8 {
    /// The colour in cylindrical form.
    public var oklch: OKLCh { OKLCh(oklab: oklab) }
}

extension ColorCluster {
    /// The colour in eight bits. No eight-bit colour but greys has a chroma below 1e-3, so that
    /// what is left of one after averaging greys is taken as none.
    public var color: RGB8 {
        var oklab = SIMD3(Double(oklab.x), Double(oklab.y), Double(oklab.z))
        if oklab.y * oklab.y + oklab.z * oklab.z < 5e-4 * 5e-4 { (oklab.y, oklab.z) = (0, 0) }
        return RGB8(oklab: oklab)
    }
}
