internal import GLibSupport
internal import UndertoneProtocol

/// `undertone watch`: tells of a picture now, and again each time its file changes.
struct WatchCommand<Request: PictureRequest> {
    let request: Request
    let name: [UInt8]
    let presentation: Presentation<Request>

    /// Watches until nobody reads any more; returns false if the daemon does not watch, or ends the
    /// watch and says why.
    ///
    /// - Throws: `closed` where it does not say why.
    func run(_ connection: Connection, _ output: Output, _ errors: Output) throws -> Bool {
        connection.enqueue(request.watchRequest(path: try PathBytes.absolute(name)))
        var last: ReplyError?
        do {
            while true {
                while let line = try connection.nextLine() {
                    let kind = try WatchLine(line)
                    if kind == .unknown { continue }
                    last = try tell(line, output, errors)
                    if kind == .first, let last, last.preventsWatching { return false }
                }
                if connection.isAtEnd {
                    // The daemon's own reason; an error of the picture is none.
                    if let last, last.preventsWatching { return false }
                    throw ClientError.closed(unanswered: 0)
                }
                // No event would tell that the reader of a pipe has gone.
                if try connection.wait(alsoForEndOf: output.descriptor) { return true }
            }
        } catch is OutputClosed {
            return true
        }
    }

    /// Tells what has come, and returns the error that it is, if it is one.
    private func tell(
        _ line: [UInt8], _ output: Output, _ errors: Output
    ) throws -> ReplyError? {
        var card = Card()
        let error = try presentation.show(name, line, output, &card)
        // Whoever sees the line finds the card drawn.
        try presentation.file.map { try CardFile.write(card.svg, to: $0) }
        try output.flush()
        if let error, !presentation.showsErrors {
            try errors.append(error.line(about: printable(name)))
            try errors.flush()
        }
        return error
    }
}

/// What a line of a watch is.
private enum WatchLine {
    /// The reply to the question itself.
    case first
    /// The answer as it is now.
    case event
    /// What a newer daemon tells.
    case unknown

    init(_ line: [UInt8]) throws(ClientError) {
        switch try JSONDocument(parsing: line)["event"]?.text {
        case nil: self = .first
        case "changed", "error": self = .event
        default: self = .unknown
        }
    }
}

extension ReplyError {
    /// Whether no watch begins with this reply. Others are the picture's, which may change.
    fileprivate var preventsWatching: Bool {
        ErrorCode(rawValue: code)?.preventsWatching ?? false
    }
}
