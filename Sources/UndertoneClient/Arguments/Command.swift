/// What `undertone` can be told to do.
enum Command: String, CaseIterable {
    case color
    case status
    case send
    case socket

    /// What follows the options.
    var usage: String {
        switch self {
        case .color: "FILE…"
        case .status, .send, .socket: ""
        }
    }

    /// What it does, for `--help`.
    var summary: String {
        switch self {
        case .color:
            """
            Tells the average colours of pictures, and colours for text on them that can be read.
            Prints swatches on a terminal, and elsewhere one JSON line for each picture, in order:
            the daemon's reply with the picture's name as "path" (or "path_b64") before it.

            The only FILE may be -: then names are read from standard input, one a line.
            """
        case .status: "Tells what the daemon is, what it can do and what it has done."
        case .send:
            """
            Sends the JSON lines of standard input to the daemon, and prints its replies: line N
            answers line N.
            """
        case .socket: "Prints the path of the daemon's socket."
        }
    }

    /// The explanation of commands and exit statuses, which ends every `--help`.
    static let footer = """
        Commands:
          undertone [color] FILE…     Colours of pictures
          undertone status            State of the daemon
          undertone send              Replies to the JSON lines of standard input
          undertone socket            Path of the daemon's socket

        A picture whose name is a command's is asked about as ./NAME. The daemon is started where
        none runs. Exit status: 0 when all is well, 1 when the daemon answered with an error, 2 when
        it could not be asked.

        """
}

/// A command line that cannot be understood.
struct UsageError: Error, Equatable {
    /// One line for people.
    var message: String

    init(_ message: String) {
        self.message = message
    }
}
