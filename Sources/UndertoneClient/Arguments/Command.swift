/// What `undertone` can be told to do.
enum Command: String, CaseIterable {
    case color
    case palette
    case indicator
    case theme
    case transition
    case watch
    case status
    case cache
    case doctor
    case send
    case socket

    /// What follows the options.
    var usage: String {
        switch self {
        case .color, .palette, .indicator, .theme: "FILE…"
        case .transition: "FROM TO"
        case .watch: "FILE"
        case .cache: "[clear]"
        case .status, .doctor, .send, .socket: ""
        }
    }

    /// What it does, for `--help`.
    var summary: String {
        switch self {
        case .color:
            """
            Tells the average colours of pictures, and colours for text on them that can be read.
            \(Command.printing)
            """
        case .palette:
            """
            Tells the colours that pictures are made of, most of it first, each with a colour for
            text on it, and the most characteristic one.
            \(Command.printing)
            """
        case .indicator:
            """
            Tells how to draw the strip under a picture: the translucent material over it, labels of
            tabs, dots of pages, and a glyph, all of them legible.
            \(Command.printing)
            """
        case .theme:
            """
            Makes sixteen terminal colours and an interface's roles from pictures, every one of them
            legible on the background.
            \(Command.printing)
            """
        case .transition:
            """
            Tells the frames from one background to another, each with a colour for text that can be
            read. FROM and TO are colours, as #rrggbb, or pictures. Prints the frames on a terminal,
            and elsewhere the daemon's reply, one JSON line.
            """
        case .watch:
            """
            Tells of a picture now, and again each time its file changes, until it is interrupted or
            nobody reads any more. It takes the options of the operation that --op names. Prints
            swatches on a terminal, and elsewhere one JSON line each time. A card is drawn anew.
            """
        case .status: "Tells what the daemon is, what it can do and what it has done."
        case .cache:
            """
            Tells what the daemon keeps of pictures, in memory and on disk; with clear, after it has
            forgotten all of it.
            """
        case .doctor:
            """
            Looks at the daemon and at the machine, and tells what is wrong and what to do about it.
            Exit status: 0 if all is well, 1 if something needs doing.
            """
        case .send:
            """
            Sends the JSON lines of standard input to the daemon, and prints its replies: line N
            answers line N.
            """
        case .socket: "Prints the path of the daemon's socket."
        }
    }

    /// How answers about pictures are printed, and where their names come from.
    private static let printing = """
        Prints swatches on a terminal, and elsewhere one JSON line for each picture, in order:
        the daemon's reply with the picture's name as "path" (or "path_b64") before it.

        The only FILE may be -: then names are read from standard input, one a line.
        """

    /// The explanation of commands and exit statuses, which ends every `--help`.
    static let footer = """
        Commands:
          undertone [color] FILE…       Colours of pictures, and text on them
          undertone palette FILE…       The colours that pictures are made of
          undertone indicator FILE…     The strip under a picture: tabs, dots, a glyph
          undertone theme FILE…         Terminal colours and roles
          undertone transition FROM TO  Frames from one background to another
          undertone watch FILE          The answer again whenever the picture changes
          undertone status              State of the daemon
          undertone cache [clear]       What the daemon keeps
          undertone doctor              What is wrong, and what to do about it
          undertone send                Replies to the JSON lines of standard input
          undertone socket              Path of the daemon's socket

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
