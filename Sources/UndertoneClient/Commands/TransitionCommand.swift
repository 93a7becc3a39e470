internal import GLibSupport
internal import UndertoneColor
internal import UndertoneProtocol

/// `undertone transition`: asks for the frames from one background to another.
struct TransitionCommand {
    let options: TransitionOptions
    /// The terminal's colours; nil where a JSON line is wanted.
    let terminal: TerminalPalette?
    /// The file that a card is drawn into, if one is.
    let file: [UInt8]?

    /// Asks and tells the answer, and returns whether there was one.
    func run(_ client: Client, _ output: Output, _ errors: Output) throws -> Bool {
        let reply = try client.ask(options.request())
        let line = reply + [UInt8(ascii: "\n")]
        var card = Card()
        do {
            let answer = try TransitionAnswer(JSONDocument.result(of: reply))
            let contrast = options.contrast ?? ColorRequest.defaultContrast
            if let terminal {
                try output.append(answer.draw(options.title(), on: terminal, for: contrast))
            } else {
                try output.append(line)
            }
            card.append(answer.row(options.title(width: 26)))
        } catch ClientError.refused(let error) {
            if terminal == nil {
                try output.append(line)
            } else {
                try errors.append(error.line(about: options.title()))
                try errors.flush()
            }
            return false
        }
        try file.map { try CardFile.write(card.svg, to: $0) }
        return true
    }
}

extension TransitionOptions {
    /// What it goes from and to, for people; what is longer than `width` is cut.
    func title(width: Int = .max) -> String {
        let names = [from, to].map { TransitionOptions.name($0).shortened(to: width) }
        return names.joined(separator: " → ")
    }

    private static func name(_ end: End) -> String {
        switch end {
        case .color(let color): color.hex
        case .picture(let path):
            printable(Array(path.split(separator: UInt8(ascii: "/")).last ?? []))
        }
    }
}
