internal import GLibSupport

/// `undertone color` and its like: asks about many pictures side by side, and tells of them in
/// order.
struct PictureCommand<Request: PictureRequest> {
    let request: Request
    let names: Invocation.PictureNames
    let presentation: Presentation<Request>

    /// The questions that may wait for an answer at once: enough to keep all decoders busy, and
    /// fewer than the daemon takes from one connection.
    private var window: Int { 32 }

    /// Asks about all pictures, and returns whether each had an answer.
    func run(_ connection: Connection, _ output: Output, _ errors: Output) throws -> Bool {
        let questions = PictureQuestions(names, request.request(path:))
        let progress = Progress(total: questions.total, output: errors)
        var card = Card()
        var isAllWell = true
        try Exchange(connection: connection, window: window).run(
            questions,
            reply: { line in
                guard let name = questions.takeAnswered() else {
                    // A daemon that takes no more clients says so unasked.
                    _ = try JSONDocument.result(of: line)
                    throw ClientError.malformedReply
                }
                if output.isTerminal { try progress.clear() }
                if let error = try presentation.show(name, line, output, &card) {
                    isAllWell = false
                    if !presentation.showsErrors {
                        try progress.clear()
                        try output.flush()
                        try errors.append(error.line(about: printable(name), mayBeCommand(name)))
                        try errors.flush()
                    }
                }
                try progress.advance()
            },
            idle: { try output.flush() })
        try progress.clear()
        try presentation.file.map { try CardFile.write(card.svg, to: $0) }
        return isAllWell
    }

    /// Whether a name may have been meant as a command: the only one, and of letters alone.
    private func mayBeCommand(_ name: [UInt8]) -> Bool {
        guard case .given(let names) = names, names.count == 1 else { return false }
        return name.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }
}

extension ReplyError {
    /// The error as a line on standard error.
    ///
    /// - Parameter mayBeCommand: Whether what was asked about may have been meant as a command.
    func line(about name: String, _ mayBeCommand: Bool = false) -> String {
        var help = package.map { "; the package \(printable($0)) would help" } ?? ""
        if mayBeCommand, code == "not_found" { help += "; undertone --help lists the commands" }
        return "undertone: \(name): \(printable(message))\(help)\n"
    }
}
