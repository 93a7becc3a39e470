/// Sixteen terminal colours and the roles of an interface, made from a picture.
///
/// All of this holds for the eight-bit colours as they are sent:
/// - `colors` 1…7 and 9…15 reach `textRatio` on the background and on the surface, `colors[8]`
///   reaches `quietRatio`, the foreground reaches `foregroundRatio`.
/// - Any two of the sixteen are at least `separation` apart.
/// - Colours 1…6 and 9…14 are within the windows of `TerminalHue`, drawn towards the picture's
///   hues.
/// - Of a grey picture, everything else is grey, and these hues are muted.
public struct Theme: Equatable, Sendable {
    /// The contrast ratio that texts reach on the background and on the surface.
    public static let textRatio = 4.5
    /// The contrast ratio that `colors[8]`, of comments and hints, reaches.
    public static let quietRatio = 3.0
    /// The contrast ratio that the foreground reaches.
    public static let foregroundRatio = 7.0
    /// The least deltaE-OK between any two of the sixteen colours.
    public static let separation = 0.05

    /// What the background is.
    public var scheme: Scheme
    /// The terminal's colours 0…15: the background, six hues and a grey, a quieter grey, the same
    /// six hues brighter, and the foreground.
    public var colors: [RGB8]
    /// The most characteristic colour of the picture, legible on the background; a grey where the
    /// picture has no hue.
    public var accent: RGB8
    /// The background of what lies on the background.
    public var surface: RGB8
    /// Quieter text, at `textRatio`.
    public var muted: RGB8
    /// The line around a surface.
    public var border: RGB8

    /// `colors[0]`.
    public var background: RGB8 { colors[0] }
    /// `colors[15]`.
    public var foreground: RGB8 { colors[15] }
    /// The terminal's cursor: the accent.
    public var cursor: RGB8 { accent }
    /// `colors[1]`, a red.
    public var error: RGB8 { colors[TerminalHue.red.rawValue] }
    /// `colors[2]`, a green.
    public var success: RGB8 { colors[TerminalHue.green.rawValue] }
    /// `colors[3]`, a yellow.
    public var warning: RGB8 { colors[TerminalHue.yellow.rawValue] }
    /// `colors[4]`, a blue.
    public var info: RGB8 { colors[TerminalHue.blue.rawValue] }

    /// The lowest contrast ratio with the background or the surface among `colors` 1…7 and 9…15 and
    /// the roles that texts are set in; at least `textRatio`.
    public var lowest: Double {
        let texts = colors[1...7] + colors[9...15] + [accent, muted]
        return texts.reduce(21) {
            min($0, contrastRatio($1, background), contrastRatio($1, surface))
        }
    }

    /// Makes a theme; nil where nothing of the picture can be seen.
    ///
    /// - Parameters:
    ///   - picture: What the picture was reduced to.
    ///   - clusters: Its clusters.
    ///   - scheme: What the background is to be; nil for what suits the picture.
    public init?(_ picture: AreaSummary, _ clusters: [ColorCluster], scheme: Scheme? = nil) {
        guard let average = picture.average(.oklab),
            let palette = ColorPalette(clusters, count: 8, target: Self.textRatio)
        else { return nil }
        let text = ContrastColor.foreground(on: average, target: Self.textRatio).color
        let scheme = scheme ?? (text == .white ? .dark : .light)
        let plan = scheme == .dark ? ThemePlan.dark : ThemePlan.light
        let accented = palette.accent?.color.oklch
        let mean = average.oklch
        let tint = mean.isGrey ? accented : mean

        // The surface is nearer to the texts than the background is: what reaches a ratio on it
        // reaches it on both.
        let surface = plan.grey(plan.surface, tint).rgb
        func legible(_ color: OKLCh, _ ratio: Double = Self.textRatio) -> RGB8 {
            color.legible(on: surface, ratio, scheme)
        }
        func terminal(towards clusters: [ColorCluster]) -> [RGB8] {
            func hues(_ lightness: Double) -> [RGB8] {
                TerminalHue.allCases.map { hue in
                    let angle = hue.angle(towards: clusters)
                    let chroma = accented == nil ? plan.mutedChroma : plan.chroma
                    return legible(OKLCh(lightness: lightness, chroma: chroma, hue: angle))
                }
            }
            return [plan.grey(plan.background, tint).rgb] + hues(plan.normal)
                + [legible(plan.grey(plan.grey, tint))]
                + [legible(plan.grey(plan.quiet, tint), Self.quietRatio)] + hues(plan.bright)
                + [legible(plan.grey(plan.foreground, tint), Self.foregroundRatio)]
        }
        // A picture without an accent has no hues to be drawn towards, only specks.
        let drawn = terminal(towards: accented == nil ? [] : clusters)
        colors = Self.areApart(drawn) ? drawn : terminal(towards: [])
        self.scheme = scheme
        self.surface = surface
        accent =
            accented.map {
                legible(OKLCh(lightness: plan.normal, chroma: $0.chroma, hue: $0.hue))
            } ?? colors[7]
        border = plan.grey(plan.border, tint).rgb
        muted =
            ContrastColor(colors[15], on: surface, target: Self.textRatio)
            .quieter(on: surface, target: Self.textRatio).color
    }

    /// Whether any two of some colours are at least `separation` apart.
    private static func areApart(_ colors: [RGB8]) -> Bool {
        let points = colors.map(\.oklab)
        return points.indices.allSatisfy { index in
            points[..<index].allSatisfy { OKLab.distance($0, points[index]) >= separation }
        }
    }
}

/// The lightnesses and chromas of a scheme, in OKLCh.
private struct ThemePlan {
    var background, surface, border, quiet, grey, foreground: Double
    var normal, bright: Double
    var chroma, mutedChroma, tintChroma: Double

    static let dark = ThemePlan(
        background: 0.2, surface: 0.25, border: 0.34, quiet: 0.55, grey: 0.8, foreground: 0.93,
        normal: 0.74, bright: 0.83, chroma: 0.13, mutedChroma: 0.08, tintChroma: 0.025)
    static let light = ThemePlan(
        background: 0.97, surface: 0.935, border: 0.86, quiet: 0.62, grey: 0.37, foreground: 0.24,
        normal: 0.44, bright: 0.535, chroma: 0.13, mutedChroma: 0.08, tintChroma: 0.012)

    /// A grey with a hint of a hue, if there is one.
    func grey(_ lightness: Double, _ tint: OKLCh?) -> OKLCh {
        guard let tint else { return OKLCh(lightness: lightness, chroma: 0, hue: 0) }
        let chroma = min(tintChroma, tint.chroma / 2)
        return OKLCh(lightness: lightness, chroma: chroma, hue: tint.hue)
    }
}

extension OKLCh {
    /// The nearest colour in eight bits that sRGB can show at this lightness and hue.
    fileprivate var rgb: RGB8 { RGB8(oklab: withinSRGB.oklab) }

    /// The colour, moved away from a background's lightness until it reaches a contrast ratio.
    fileprivate func legible(on background: RGB8, _ ratio: Double, _ scheme: Scheme) -> RGB8 {
        var color = self
        while contrastRatio(color.rgb, background) < ratio {
            color.lightness += scheme == .dark ? 0.005 : -0.005
            if color.lightness >= 1 { return .white }
            if color.lightness <= 0 { return .black }
        }
        return color.rgb
    }
}
