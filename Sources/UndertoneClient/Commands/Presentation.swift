internal import UndertoneProtocol

/// How the daemon's lines about pictures are shown.
struct Presentation<Request: PictureRequest> {
    let request: Request
    /// The terminal's colours; nil where JSON lines are wanted.
    let terminal: TerminalPalette?
    /// The file that a card is drawn into, if one is.
    let file: [UInt8]?

    /// Whether an error is among what `show` prints.
    var showsErrors: Bool { terminal == nil && !request.isForeign }

    /// Prints a line about a picture and draws it on the card, and returns the error that it is, if
    /// it is one.
    ///
    /// As swatches, or with the picture's name before it; what is for another program stands alone.
    func show(
        _ name: [UInt8], _ line: [UInt8], _ output: Output, _ card: inout Card
    ) throws -> ReplyError? {
        do {
            if request.isForeign {
                try output.append(JSONDocument.resultText(of: line) + [UInt8(ascii: "\n")])
            } else {
                // Nothing is printed before it is known to be an answer: it might be anything.
                let answer = try Request.Answer(JSONDocument.result(of: line))
                if let terminal {
                    try output.append(answer.draw(name, on: terminal, for: request.textContrast))
                } else {
                    try output.append(JSONLine.named(name, line))
                }
                if file != nil { card.append(answer.row(name)) }
            }
        } catch ClientError.refused(let error) {
            if showsErrors { try output.append(JSONLine.named(name, line)) }
            if file != nil { card.append(CardRow(name, refusal: error)) }
            return error
        }
        return nil
    }
}

/// The daemon's replies as this program prints them.
enum JSONLine {
    /// A reply with the picture's name before its own members.
    static func named(_ name: [UInt8], _ reply: [UInt8]) -> [UInt8] {
        var writer = JSONWriter(capacity: reply.count + name.count + 16)
        writer.beginObject()
        writer.path(name)
        return writer.bytes + [UInt8(ascii: ",")] + reply.dropFirst() + [UInt8(ascii: "\n")]
    }
}
