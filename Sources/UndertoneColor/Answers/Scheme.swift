/// What a background calls for; the name is the background's.
public enum Scheme: String, CaseIterable, Sendable {
    /// A dark background, under light text.
    case dark
    /// A light background, under dark text.
    case light
}

/// A colour to be drawn on a known background, with its verified contrast.
public struct ContrastColor: Equatable, Sendable {
    /// The colour.
    public var color: RGB8
    /// The contrast ratio with the background by WCAG 2.x, 1…21, not rounded.
    public var contrast: Double
    /// Whether the ratio reaches the target asked for.
    public var meets: Bool

    /// Creates a colour whose contrast with a background is computed here.
    public init(_ color: RGB8, on background: RGB8, target: Double) {
        self.color = color
        contrast = contrastRatio(color, background)
        meets = contrast >= target
    }
}

extension ContrastColor {
    /// The better of black and white on a background: never below 4.58.
    ///
    /// White below the luminance 0.1791287847, black above it.
    public static func foreground(on background: RGB8, target: Double) -> ContrastColor {
        let white = ContrastColor(.white, on: background, target: target)
        let black = ContrastColor(.black, on: background, target: target)
        return white.contrast > black.contrast ? white : black
    }

    /// This foreground moved towards its background as far as the target allows, per channel in
    /// encoded sRGB in steps of 1/255; the foreground itself where it cannot exceed the target.
    public func quieter(on background: RGB8, target: Double) -> ContrastColor {
        // The contrast falls with every step, since every channel moves towards the background.
        let missed = (1..<256).firstMember { step in
            contrastRatio(color.mixed(towards: background, step), background) < target
        }
        return ContrastColor(
            color.mixed(towards: background, missed - 1), on: background, target: target)
    }
}
