extension RGB8 {
    /// The relative luminance by WCAG 2.x, 0…1.
    public var relativeLuminance: Double {
        let linear = TransferFunction.linear
        return Luminance.of(
            SIMD3(linear[Int(red)], linear[Int(green)], linear[Int(blue)]))
    }
}

/// Arithmetic on relative luminances.
enum Luminance {
    /// WCAG's weights of linear red, green and blue.
    static let weights = SIMD3(0.2126, 0.7152, 0.0722)

    /// The luminance at which black and white text reach the same ratio, 4.5826.
    static let flip = 0.1791287847

    /// The luminance of a colour in linear light.
    static func of(_ linear: SIMD3<Double>) -> Double {
        linear.x * weights.x + linear.y * weights.y + linear.z * weights.z
    }

    /// The contrast ratio of two luminances, 1…21.
    static func contrast(_ one: Double, _ other: Double) -> Double {
        one > other ? (one + 0.05) / (other + 0.05) : (other + 0.05) / (one + 0.05)
    }
}

/// The contrast ratio of two colours by WCAG 2.x, 1…21, in either order, not rounded.
public func contrastRatio(_ one: RGB8, _ other: RGB8) -> Double {
    Luminance.contrast(one.relativeLuminance, other.relativeLuminance)
}
