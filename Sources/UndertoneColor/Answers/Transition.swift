/// The way from one opaque background to another, with text that stays legible on each frame.
///
/// The text is always the better of black and white on the frame itself, so that it changes where
/// the luminance crosses 0.1791287847 and its contrast is never below 4.58.
public struct Transition: Equatable, Sendable {
    /// The space in which backgrounds lie on a straight line.
    public enum Space: String, CaseIterable, Sendable {
        /// Even to the eye. What sRGB cannot show on the way is cut off per channel.
        case oklab
        /// The encoded values, as most toolkits' animations go.
        case srgb
    }

    /// One frame.
    public struct Frame: Equatable, Sendable {
        /// The background.
        public var background: RGB8
        /// The better of black and white on it: never below 4.58.
        public var foreground: ContrastColor
        /// The quieter text on it.
        public var secondary: ContrastColor
    }

    /// The numbers of frames that can be asked for.
    public static let frameCounts = 2...240

    /// The frames, evenly spaced; the first and the last are the two colours.
    public var frames: [Frame]
    /// How far along, 0…1, the text first changes between black and white; nil where no frame's
    /// text differs from the first's.
    public var flip: Double?
    /// The lowest ratio of any frame's foreground.
    public var lowest: Double

    /// Goes from one colour to another.
    ///
    /// - Parameters:
    ///   - start: The first frame's background.
    ///   - end: The last frame's background.
    ///   - count: The number of frames, within `frameCounts`.
    ///   - space: The space in which the colours lie on a straight line.
    ///   - target: The contrast ratio that texts are to reach, 1…21.
    public init(from start: RGB8, to end: RGB8, frames count: Int, in space: Space, target: Double)
    {
        let count = max(Self.frameCounts.lowerBound, min(count, Self.frameCounts.upperBound))
        let line = Line(start, end, space)
        frames = (0..<count).map { index in
            let background = line.color(at: Double(index) / Double(count - 1))
            let foreground = ContrastColor.foreground(on: background, target: target)
            return Frame(
                background: background, foreground: foreground,
                secondary: foreground.quieter(on: background, target: target))
        }
        lowest = frames.reduce(21) { min($0, $1.foreground.contrast) }
        let text = frames[0].foreground.color
        flip = frames.firstIndex { $0.foreground.color != text }.map { index in
            line.flip(
                after: Double(index - 1) / Double(count - 1),
                before: Double(index) / Double(count - 1), from: text)
        }
    }
}

/// A straight line between two colours.
private struct Line {
    private let start, end: RGB8
    private let space: Transition.Space
    private let startLab, endLab: SIMD3<Double>

    init(_ start: RGB8, _ end: RGB8, _ space: Transition.Space) {
        self.start = start
        self.end = end
        self.space = space
        startLab = start.oklab
        endLab = end.oklab
    }

    /// The colour at a position, 0…1; the ends are the colours themselves.
    func color(at position: Double) -> RGB8 {
        if position <= 0 { return start }
        if position >= 1 { return end }
        switch space {
        case .oklab:
            return RGB8(oklab: startLab + (endLab - startLab) * position)
        case .srgb:
            func mix(_ from: UInt8, _ to: UInt8) -> Double {
                Double(from) + (Double(to) - Double(from)) * position
            }
            return RGB8(
                rounding: SIMD3(
                    mix(start.red, end.red), mix(start.green, end.green), mix(start.blue, end.blue))
            )
        }
    }

    /// Where the text stops being of a colour, between a position where it is and one where it
    /// isn't.
    func flip(after before: Double, before after: Double, from text: RGB8) -> Double {
        var (same, changed) = (before, after)
        for _ in 0..<20 {
            let middle = (same + changed) / 2
            let foreground = ContrastColor.foreground(on: color(at: middle), target: 1)
            if foreground.color == text { same = middle } else { changed = middle }
        }
        return changed
    }
}
