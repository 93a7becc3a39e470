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
        let white = OverImage(white: summary, target: target)
        let black = OverImage(black: summary, target: target)
        if white.contrast != black.contrast {
            self = white.contrast > black.contrast ? white : black
        } else if white.coverage != black.coverage {
            self = white.coverage > black.coverage ? white : black
        } else {
            let foreground = ContrastColor.foreground(on: background, target: target)
            self = foreground.color == .white ? white : black
        }
    }

    private init(white summary: AreaSummary, target: Double) {
        color = .white
        let worst = summary.worstUnderBlackScrim
        contrast = contrastRatio(.white, worst[0])
        meets = contrast >= target
        let best = contrastRatio(.white, summary.darkestUnderWhiteText)
        let quantiles = summary.underWhiteText
        let reaching = Self.firstIndex(in: quantiles) { 1.05 / ($0 + 0.05) < target }
        coverage = Self.coverage(
            Double(reaching) / Double(quantiles.count), all: meets, some: best >= target)
        let step = Self.firstStep { step in
            contrastRatio(.white, worst[step].underBlackScrim(step)) >= target
        }
        scrim = Scrim(color: .black, step: step)
    }

    private init(black summary: AreaSummary, target: Double) {
        color = .black
        let worst = summary.worstUnderWhiteScrim
        contrast = contrastRatio(.black, worst[0])
        meets = contrast >= target
        let best = contrastRatio(.black, summary.lightestUnderBlackText)
        let quantiles = summary.underBlackText
        let missing = Self.firstIndex(in: quantiles) { ($0 + 0.05) / 0.05 >= target }
        coverage = Self.coverage(
            Double(quantiles.count - missing) / Double(quantiles.count), all: meets,
            some: best >= target)
        let step = Self.firstStep { step in
            contrastRatio(.black, worst[step].underWhiteScrim(step)) >= target
        }
        scrim = Scrim(color: .white, step: step)
    }

    /// The table knows shares to 1/256; what it cannot know is whether an end is quite reached.
    private static func coverage(_ share: Double, all: Bool, some: Bool) -> Double {
        if all { return 1 }
        if !some { return 0 }
        return max(1 / 512, min(511 / 512, share))
    }

    /// The first table entry whose luminance fulfils a condition that all later ones fulfil too.
    private static func firstIndex(
        in quantiles: [UInt16], where fulfils: (Double) -> Bool
    ) -> Int {
        var (low, high) = (0, quantiles.count)
        while low < high {
            let middle = (low + high) / 2
            if fulfils(TransferFunction.decode(Double(quantiles[middle]) / 65535)) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }

    /// The first step that fulfils a condition that all later ones fulfil too: the composite of
    /// every pixel, so of the worst too, moves towards the scrim with every step. 255 if none does.
    private static func firstStep(where fulfils: (Int) -> Bool) -> Int {
        var (low, high) = (0, 255)
        while low < high {
            let middle = (low + high) / 2
            if fulfils(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
