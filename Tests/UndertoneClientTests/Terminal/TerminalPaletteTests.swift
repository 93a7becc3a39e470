import Testing
import UndertoneColor

@testable import UndertoneClient

@Suite struct TerminalPaletteTests {
    @Test(
        arguments: [
            ([:], TerminalPalette.none), (["TERM": "dumb"], .none),
            (["TERM": "xterm-256color"], .indexed),
            (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .trueColor),
            (["TERM": "foot", "COLORTERM": "24bit"], .trueColor),
            (["TERM": "xterm-direct"], .trueColor), (["TERM": "xterm"], .indexed),
            (["TERM": "xterm", "COLORTERM": "yes"], .indexed),
            (["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"], .none),
            (["TERM": "dumb", "COLORTERM": "truecolor"], .none),
        ] as [([String: String], TerminalPalette)])
    func followsTheEnvironment(variables: [String: String], palette: TerminalPalette) {
        #expect(TerminalPalette { variables[$0] } == palette)
    }

    @Test(arguments: [
        // The corners of the cube, a primary, and greys by xterm's own table.
        (RGB8.black, 16), (.white, 231), (RGB8(red: 255, green: 0, blue: 0), 196),
        (RGB8(red: 95, green: 135, blue: 175), 67), (RGB8(red: 8, green: 8, blue: 8), 232),
        (RGB8(red: 238, green: 238, blue: 238), 255), (RGB8(red: 128, green: 128, blue: 128), 244),
        (RGB8(red: 127, green: 106, blue: 82), 95),
    ])
    func picksTheNearestOf256(color: RGB8, index: Int) {
        #expect(XtermColors.index(of: color) == index)
    }

    @Test func findsNoNearerOne() {
        let levels = [0, 95, 135, 175, 215, 255]
        var colors: [[Int]] = []
        for red in levels {
            for green in levels { for blue in levels { colors.append([red, green, blue]) } }
        }
        for grey in 0..<24 { colors.append(Array(repeating: 8 + 10 * grey, count: 3)) }
        for value in stride(from: 0, through: 0xFFFFFF, by: 99_991) {
            let channels = [value >> 16, value >> 8 & 255, value & 255]
            func distance(_ index: Int) -> Int {
                zip(channels, colors[index]).map { ($0 - $1) * ($0 - $1) }.reduce(0, +)
            }
            let color = RGB8(
                red: UInt8(channels[0]), green: UInt8(channels[1]), blue: UInt8(channels[2]))
            let best = colors.indices.map(distance).min()
            #expect(distance(XtermColors.index(of: color) - 16) == best, "\(color)")
        }
    }

    @Test func writesTheSequencesOfItsKind() {
        let color = RGB8(red: 1, green: 20, blue: 255)
        func cell(_ palette: TerminalPalette) -> String {
            palette.cell("x", on: color, .white, reaching: 4.5)
        }
        #expect(
            cell(.trueColor) == "\u{1b}[48;2;1;20;255m\u{1b}[38;2;255;255;255mx\u{1b}[0m")
        #expect(cell(.indexed) == "\u{1b}[48;5;21m\u{1b}[38;5;231mx\u{1b}[0m")
        #expect(cell(.none) == "x")
        #expect(TerminalPalette.none.reset.isEmpty)
        #expect(TerminalPalette.none.bold("x") == "x")
    }
}
