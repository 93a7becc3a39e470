/// A translucent layer of black or white over a strip, just opaque enough for its texts.
public struct Material: Equatable, Sendable {
    /// What the layer is laid over.
    public enum Base: String, CaseIterable, Sendable {
        /// The strip's flat background: the area's mean colour.
        case background
        /// The area's pixels, of which the worst decides.
        case image
    }

    /// The ratios that texts and dots reach.
    public enum Target {
        /// The label of the active tab.
        public static let primary = 7.0
        /// The labels of the other tabs, and the dot of the current page.
        public static let secondary = 4.5
        /// The dots of the other pages.
        public static let dot = 3.0
    }

    /// `dark` for a layer of black under white text, `light` for white under black text.
    public var scheme: Scheme
    /// The layer's colour: black or white.
    public var color: RGB8
    /// The smallest opacity, in steps of 1/255, with which primary text reaches its ratio; the
    /// others then reach theirs.
    public var step: Int
    /// The mean colour under the layer, in eight bits.
    public var background: RGB8
    /// What the texts' contrast is with: `background`, or the worst pixel under the layer.
    public var worst: RGB8

    /// The opacity, 0…1.
    public var opacity: Double { Double(step) / 255 }

    /// Chooses a layer.
    ///
    /// - Parameters:
    ///   - background: The mean colour of the area.
    ///   - summary: The area, of which something can be seen.
    ///   - base: What the layer is laid over.
    ///   - scheme: The layer's kind; nil for the one that needs to be less opaque, or, if they are
    ///     even, the one that suits the background.
    public init(
        background: RGB8, _ summary: AreaSummary, over base: Base, scheme: Scheme? = nil
    ) {
        let dark = Material(.dark, background, summary, base)
        let light = Material(.light, background, summary, base)
        if let scheme {
            self = scheme == .dark ? dark : light
        } else if dark.step != light.step {
            self = dark.step < light.step ? dark : light
        } else {
            let text = ContrastColor.foreground(on: background, target: Target.primary).color
            self = text == .white ? dark : light
        }
    }

    private init(_ scheme: Scheme, _ background: RGB8, _ summary: AreaSummary, _ base: Base) {
        let text: RGB8 = scheme == .dark ? .white : .black
        let layer: RGB8 = scheme == .dark ? .black : .white
        let table = scheme == .dark ? summary.worstUnderBlackScrim : summary.worstUnderWhiteScrim
        func worst(_ step: Int) -> RGB8 {
            (base == .image ? table[step] : background).mixed(towards: layer, step)
        }
        // Every composite moves towards the layer with every step, so that all later steps do too.
        let step = (0..<255).firstMember { contrastRatio(text, worst($0)) >= Target.primary }
        self.scheme = scheme
        color = layer
        self.step = step
        self.background = background.mixed(towards: layer, step)
        self.worst = worst(step)
    }
}
