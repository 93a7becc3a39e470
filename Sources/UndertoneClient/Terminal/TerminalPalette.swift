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

    /// Text in bold.
    func bold(_ text: String) -> String { self == .none ? text : "\u{1b}[1m\(text)\(reset)" }

    /// Text on a colour, with nothing of that left after it unless more of the like follows.
    ///
    /// - Parameter ratio: The contrast ratio that the two were promised to have, which is kept as
    ///   far as they have it, whatever colours the terminal lacks.
    func cell(
        _ text: String, on background: RGB8, _ color: RGB8, reaching ratio: Double,
        ends: Bool = true
    ) -> String {
        let start =
            switch self {
            case .none: ""
            case .indexed:
                indexed("48", XtermColors.index(of: background))
                    + indexed(
                        "38", XtermColors.index(of: color, on: background, reaching: ratio))
            case .trueColor: direct("48", background) + direct("38", color)
            }
        return start + text + (ends ? reset : "")
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

    /// Starts writing in a colour, on whatever the terminal has.
    private func foreground(_ color: RGB8) -> String {
        switch self {
        case .none: ""
        case .indexed: indexed("38", XtermColors.index(of: color))
        case .trueColor: direct("38", color)
        }
    }

    private func indexed(_ kind: String, _ index: Int) -> String {
        "\u{1b}[\(kind);5;\(index)m"
    }

    private func direct(_ kind: String, _ color: RGB8) -> String {
        "\u{1b}[\(kind);2;\(color.red);\(color.green);\(color.blue)m"
    }
}
