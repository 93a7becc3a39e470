/// `undertone watch`: tells of a picture now, and again each time its file changes.
struct WatchCommand<Request: PictureRequest> {
    let request: Request
    let name: [UInt8]
    let presentation: Presentation<Request>

    /// Watches until nobody reads any more; returns false if the daemon does not watch.
    ///
    /// - Throws: `closed` when the daemon ends.
    func run(_ connection: Connection, _ output: Output, _ errors: Output) throws -> Bool {
        connection.enqueue(request.watchRequest(path: try PathBytes.absolute(name)))
        do {
            while true {
                while let line = try connection.nextLine() {
                    let error = try tell(line, output, errors)
                    if let error, !error.isOfPicture { return false }
                }
                if connection.isAtEnd { throw ClientError.closed(unanswered: 0) }
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
        try output.flush()
        if let error, !presentation.showsErrors {
            try errors.append(error.line(about: printable(name)))
            try errors.flush()
        }
        try presentation.file.map { try CardFile.write(card.svg, to: $0) }
        return error
    }
}

extension ReplyError {
    /// Whether it is the picture's, which may change, so that a watch goes on.
    fileprivate var isOfPicture: Bool {
        ![
            "parse_error", "invalid_request", "unknown_op", "request_too_large", "busy",
            "shutting_down", "watch_unsupported", "internal",
        ].contains(code)
    }
}
