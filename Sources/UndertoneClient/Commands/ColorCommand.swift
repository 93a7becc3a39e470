internal import UndertoneProtocol

/// `undertone color`: asks about many pictures side by side, and tells of them in order.
struct ColorCommand {
    /// The questions that may wait for an answer at once: enough to keep all decoders busy, and
    /// fewer than the daemon takes from one connection.
    private static let window = 32

    let options: ColorOptions
    let names: Invocation.PictureNames
    /// How answers are drawn; nil for JSON lines.
    let view: PictureView?

    /// Asks about all pictures, and returns whether each had an answer.
    func run(_ connection: Connection, _ output: Output, _ errors: Output) throws -> Bool {
        let questions = PictureQuestions(names, options)
        let progress = Progress(total: questions.total, output: errors)
        var isAllWell = true
        try Exchange(connection: connection, window: ColorCommand.window).run(
            questions,
            reply: { line in
                guard let name = questions.takeAnswered() else { throw ClientError.malformedReply }
                if output.isTerminal { try progress.clear() }
                let error = try tell(name, line, output)
                if let error {
                    isAllWell = false
                    if view != nil {
                        try progress.clear()
                        try output.flush()
                        try errors.append(describe(name, error))
                        try errors.flush()
                    }
                }
                try progress.advance()
            },
            idle: { try output.flush() })
        try progress.clear()
        return isAllWell
    }

    /// Prints an answer, and returns the error that it is, if it is one.
    private func tell(_ name: [UInt8], _ line: [UInt8], _ output: Output) throws -> ReplyError? {
        var failure: ReplyError?
        do {
            let result = try JSONDocument.result(of: line)
            if let view { try output.append(view.draw(name, try ColorAnswer(result))) }
        } catch ClientError.refused(let error) {
            failure = error
        }
        if view == nil { try output.append(ColorCommand.line(name, line)) }
        return failure
    }

    /// A reply with the picture's name before its own members.
    static func line(_ name: [UInt8], _ reply: [UInt8]) -> [UInt8] {
        var writer = JSONWriter(capacity: reply.count + name.count + 16)
        writer.beginObject()
        writer.path(name)
        return writer.bytes + [UInt8(ascii: ",")] + reply.dropFirst() + [UInt8(ascii: "\n")]
    }

    private func describe(_ name: [UInt8], _ error: ReplyError) -> String {
        let help = error.package.map { "; the package \(printable($0)) would help" } ?? ""
        return "undertone: \(printable(name)): \(printable(error.message))\(help)\n"
    }
}
