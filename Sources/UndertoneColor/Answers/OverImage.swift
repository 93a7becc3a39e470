/// What can be read on top of an area's pixels themselves, rather than on their mean.
public struct OverImage: Equatable, Sendable {
    /// A translucent layer between the picture and the text.
    public struct Scrim: Equatable, Sendable {
        /// Black under white text, white under black text.
        public var color: RGB8
        /// The smallest opacity, in steps of 1/255, with which every pixel reaches the target on
        /// its eight-bit composite; 0 where none is needed.
        public var step: Int

        /// The opacity, 0…1.
        public var opacity: Double { Double(step) / 255 }
    }

    /// The text colour: black or white.
    public var color: RGB8
    /// The lowest contrast ratio of the text with any pixel.
    public var contrast: Double
    /// The share of the visible pixels that reach the target, 0…1, within 1/512; exactly 1 where
    /// all do and exactly 0 where none does.
    public var coverage: Double
    /// Whether every pixel reaches the target.
    public var meets: Bool
    /// What it takes for every pixel to reach it.
    public var scrim: Scrim

    /// Answers for an area of which something can be seen.
    ///
    /// The text is white or black, whichever has the larger lowest ratio; if these are equal, the
    /// one with more coverage; if these are too, the one that suits the background.
    init(_ summary: AreaSummary, background: RGB8, target: Double) {
        let white = OverImage(.white, on: summary, target: target)
        let black = OverImage(.black, on: summary, target: target)
        if white.contrast != black.contrast {
            self = white.contrast > black.contrast ? white : black
        } else if white.coverage != black.coverage {
            self = white.coverage > black.coverage ? white : black
        } else {
            let foreground = ContrastColor.foreground(on: background, target: target)
            self = foreground.color == .white ? white : black
        }
    }

    private init(_ text: RGB8, on summary: AreaSummary, target: Double) {
        let isWhite = text == .white
        let layer: RGB8 = isWhite ? .black : .white
        let worst = isWhite ? summary.worstUnderBlackScrim : summary.worstUnderWhiteScrim
        color = text
        contrast = contrastRatio(text, worst[0])
        meets = contrast >= target

        let best = isWhite ? summary.darkestUnderWhiteText : summary.lightestUnderBlackText
        let quantiles = isWhite ? summary.underWhiteText : summary.underBlackText
        // From the darkest to the lightest: white text reaches the first ones, black the last.
        let split = (0..<quantiles.count).firstMember { index in
            let luminance = TransferFunction.decode(Double(quantiles[index]) / 65535)
            return isWhite
                ? 1.05 / (luminance + 0.05) < target : (luminance + 0.05) / 0.05 >= target
        }
        coverage = Self.coverage(
            Double(isWhite ? split : quantiles.count - split) / Double(quantiles.count),
            all: meets, some: contrastRatio(text, best) >= target)

        // The composite of every pixel, so of the worst too, moves towards the scrim with every
        // step: all later ones fulfil the condition too.
        let step = (0..<255).firstMember { step in
            contrastRatio(text, worst[step].mixed(towards: layer, step)) >= target
        }
        scrim = Scrim(color: layer, step: step)
    }

    /// The table knows shares to 1/256; what it cannot know is whether an end is quite reached.
    private static func coverage(_ share: Double, all: Bool, some: Bool) -> Double {
        if all { return 1 }
        if !some { return 0 }
        return max(1 / 512, min(511 / 512, share))
    }
}
