internal import GLibSupport
internal import UndertoneColor

/// A drawing as SVG 1.1, in pixels; what is drawn later lies above.
struct SVG {
    private(set) var text = ""

    /// What letters look like.
    struct Style {
        /// The height of the letters in pixels.
        var size: Double
        /// Whether all letters are equally wide, as those of figures.
        var isMonospaced = false
        /// Whether the letters are bold.
        var isBold = false
        /// Where of the text the position is.
        var anchor = Anchor.start

        /// A place in a line of text.
        enum Anchor: String {
            case start, middle, end
        }
    }

    /// Draws a rectangle; `border` is a line inside of its edges.
    mutating func rectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ color: RGB8,
        radius: Double = 0, border: RGB8? = nil
    ) {
        let inset = border == nil ? 0 : 0.5
        text += "<rect x=\"\(SVG.number(x + inset))\" y=\"\(SVG.number(y + inset))\""
        text += " width=\"\(SVG.number(width - 2 * inset))\""
        text += " height=\"\(SVG.number(height - 2 * inset))\""
        if radius > 0 { text += " rx=\"\(SVG.number(radius))\"" }
        text += " fill=\"\(color.hex)\""
        if let border { text += " stroke=\"\(border.hex)\"" }
        text += "/>\n"
    }

    /// Draws a disc around a point.
    mutating func disc(_ x: Double, _ y: Double, radius: Double, _ color: RGB8) {
        text += "<circle cx=\"\(SVG.number(x))\" cy=\"\(SVG.number(y))\""
        text += " r=\"\(SVG.number(radius))\" fill=\"\(color.hex)\"/>\n"
    }

    /// Writes one line, whose letters stand on `y`; it may hold anything.
    mutating func write(
        _ line: String, _ x: Double, _ y: Double, _ color: RGB8, _ style: Style
    ) {
        text += "<text x=\"\(SVG.number(x))\" y=\"\(SVG.number(y))\"\(SVG.attributes(style))"
        text += " fill=\"\(color.hex)\">\(SVG.escaped(line))</text>\n"
    }

    /// Writes letters of one style, each at a place and in a colour of its own.
    mutating func write(
        _ letters: [(letter: Character, x: Double, color: RGB8)], _ y: Double, _ style: Style
    ) {
        text += "<g\(SVG.attributes(style))>\n"
        for (letter, x, color) in letters {
            text += "<text x=\"\(SVG.number(x))\" y=\"\(SVG.number(y))\""
            text += " fill=\"\(color.hex)\">\(SVG.escaped(String(letter)))</text>\n"
        }
        text += "</g>\n"
    }

    private static func attributes(_ style: Style) -> String {
        var text = " font-size=\"\(number(style.size))\""
        if style.isMonospaced { text += " class=\"m\"" }
        if style.isBold { text += " font-weight=\"600\"" }
        if style.anchor != .start { text += " text-anchor=\"\(style.anchor.rawValue)\"" }
        return text
    }

    /// Draws another drawing with its origin at a point.
    mutating func draw(_ other: SVG, _ x: Double, _ y: Double) {
        text +=
            "<g transform=\"translate(\(SVG.number(x)) \(SVG.number(y)))\">\n\(other.text)</g>\n"
    }

    /// What tells a card from any other file, near its start.
    static let mark = #"class="undertone-card""#

    /// Makes a file of it.
    func file(width: Double, height: Double, title: String) -> String {
        let size = "\(SVG.number(width)) \(SVG.number(height))"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" \(SVG.mark) viewBox="0 0 \(size)" \
            width="\(SVG.number(width))" height="\(SVG.number(height))" role="img" \
            font-family="system-ui, 'DejaVu Sans', sans-serif">
            <title>\(SVG.escaped(title))</title>
            <style>.m { font-family: ui-monospace, 'DejaVu Sans Mono', monospace }</style>
            \(text)</svg>

            """
    }

    /// A number as SVG takes it, with two decimals at most.
    private static func number(_ value: Double) -> String {
        let rounded = (value * 100).rounded() / 100
        return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
    }

    /// Text between tags; what no XML may hold, `printable` has spelled out.
    private static func escaped(_ text: String) -> String {
        printable(text).map { character in
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            default: String(character)
            }
        }.joined()
    }
}
