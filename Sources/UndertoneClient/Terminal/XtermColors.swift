internal import UndertoneColor

/// The fixed ones of xterm's 256 colours: a 6 × 6 × 6 cube from 16, and greys from 232.
///
/// The first sixteen are left out: each user has others there.
enum XtermColors {
    /// The number of the first of them.
    private static let first = 16

    /// All of them in the order of their numbers.
    private static let colors: [RGB8] = {
        let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
        let cube = levels.flatMap { red in
            levels.flatMap { green in
                levels.map { RGB8(red: red, green: green, blue: $0) }
            }
        }
        let greys = (0..<24).map { UInt8(8 + 10 * $0) }
        return cube + greys.map { RGB8(red: $0, green: $0, blue: $0) }
    }()

    /// The number of the one that is nearest to a colour.
    static func index(of color: RGB8) -> Int {
        index(nearestTo: color, among: colors.indices)
    }

    /// The number of the one to write with in the place of `color` on `background`, which is
    /// rounded itself: rounding the two apart from each other may leave little between them.
    ///
    /// It is the nearest of those that reach a contrast ratio on the rounded background, or the one
    /// of the highest ratio where none does.
    ///
    /// - Parameter ratio: The ratio that the two were promised to have, 1…21; no more is looked for
    ///   than they really have.
    static func index(of color: RGB8, on background: RGB8, reaching ratio: Double) -> Int {
        let rounded = colors[index(of: background) - first]
        let target = min(ratio, contrastRatio(color, background))
        let ratios = colors.map { contrastRatio($0, rounded) }
        let legible = ratios.indices.filter { ratios[$0] >= target }
        if legible.isEmpty {
            return first + (ratios.indices.max { ratios[$0] < ratios[$1] } ?? 0)
        }
        return index(nearestTo: color, among: legible)
    }

    private static func index(nearestTo color: RGB8, among indices: some Collection<Int>) -> Int {
        first + (indices.min { distance(colors[$0], color) < distance(colors[$1], color) } ?? 0)
    }

    private static func distance(_ one: RGB8, _ other: RGB8) -> Int {
        let red = Int(one.red) - Int(other.red)
        let green = Int(one.green) - Int(other.green)
        let blue = Int(one.blue) - Int(other.blue)
        return red * red + green * green + blue * blue
    }
}
