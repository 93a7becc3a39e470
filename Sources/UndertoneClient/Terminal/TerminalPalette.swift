internal import GLibSupport
internal import UndertoneColor

/// The colours that a terminal can show, and how to ask for them.
enum TerminalPalette: Equatable {
    /// None: text stays as it is.
    case none
    /// The 256 colours of xterm.
    case indexed
    /// All of them.
    case trueColor

    /// Tells by the conventions that terminals follow what this one can show.
    ///
    /// - Parameter variable: Looks a variable of the environment up; an empty one is as good as
    ///   none.
    init(_ variable: (String) -> String?) {
        let terminal = variable("TERM") ?? "dumb"
        if variable("NO_COLOR") != nil || terminal == "dumb" {
            self = .none
        } else if ["truecolor", "24bit"].contains(variable("COLORTERM"))
            || terminal.hasSuffix("-direct")
        {
            self = .trueColor
        } else {
            self = .indexed
        }
    }

    /// Tells what swatches of an invocation are drawn with; nil where JSON lines are wanted.
    init?(_ invocation: Invocation, isTerminal: Bool) {
        if invocation.isJSON { return nil }
        let palette = TerminalPalette { name in
            Environment[name].map { String(decoding: $0, as: UTF8.self) }
        }
        switch invocation.swatches {
        case .always: self = palette == .none ? .trueColor : palette
        case .never where isTerminal: self = .none
        case .auto where isTerminal: self = palette
        default: return nil
        }
    }

    /// Starts writing on a colour.
    func background(_ color: RGB8) -> String { sequence("48", color) }

    /// Starts writing in a colour.
    func foreground(_ color: RGB8) -> String { sequence("38", color) }

    /// Text in bold.
    func bold(_ text: String) -> String { self == .none ? text : "\u{1b}[1m\(text)\(reset)" }

    /// Text on a colour, with nothing of that left after it unless more of the like follows.
    func cell(_ text: String, on background: RGB8, _ color: RGB8, ends: Bool = true) -> String {
        self.background(background) + foreground(color) + text + (ends ? reset : "")
    }

    /// Colours with what is said of them, several a line.
    func columns(
        _ entries: [(color: RGB8, text: String)], by count: Int, gap: String = "   "
    ) -> [String] {
        let cells = entries.map { entry in
            self == .none ? entry.text : foreground(entry.color) + "██" + reset + " " + entry.text
        }
        return stride(from: 0, to: cells.count, by: count).map { start in
            cells[start..<min(start + count, cells.count)].joined(separator: gap)
        }
    }

    /// Ends all of that.
    var reset: String { self == .none ? "" : "\u{1b}[0m" }

    private func sequence(_ kind: String, _ color: RGB8) -> String {
        switch self {
        case .none: ""
        case .indexed: "\u{1b}[\(kind);5;\(TerminalPalette.index(of: color))m"
        case .trueColor: "\u{1b}[\(kind);2;\(color.red);\(color.green);\(color.blue)m"
        }
    }

    /// The nearest of xterm's fixed colours: the 6 × 6 × 6 cube from 16, the greys from 232.
    static func index(of color: RGB8) -> Int {
        let levels = [0, 95, 135, 175, 215, 255]
        let channels = [Int(color.red), Int(color.green), Int(color.blue)]
        func distance(_ other: [Int]) -> Int {
            zip(channels, other).map { ($0 - $1) * ($0 - $1) }.reduce(0, +)
        }
        let steps = channels.map { channel in
            levels.indices.min { abs(levels[$0] - channel) < abs(levels[$1] - channel) } ?? 0
        }
        // Greys are 8, 18, … 238.
        let grey = min(max((channels.reduce(0, +) / 3 - 3) / 10, 0), 23)
        let toGrey = distance(Array(repeating: 8 + 10 * grey, count: 3))
        let toCube = distance(steps.map { levels[$0] })
        return toGrey < toCube ? 232 + grey : 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
    }
}
