internal import GLibSupport
internal import Glibc
internal import UndertoneProtocol

/// The program `undertone`.
public enum CommandLineTool {
    /// Does what this process was told to do, and exits.
    public static func main() -> Never {
        StandardDescriptors.occupy()
        exit(run(Environment.commandLine))
    }

    /// Does what a command line says.
    ///
    /// - Parameter arguments: The program's name, and what follows it.
    /// - Returns: The exit status: 0 if all is well, 1 if the daemon answered with an error, 2 if
    ///   it could not be asked.
    static func run(_ arguments: [[UInt8]]) -> Int32 {
        let output = Output(STDOUT_FILENO)
        let errors = Output(STDERR_FILENO)
        var connector: Connector?
        do {
            let invocation = try Invocation(arguments)
            let known = Connector(invocation, errors)
            connector = known
            let isAllWell = try run(invocation, known, output, errors)
            try output.flush()
            if !isAllWell, invocation.task != .doctor { try? hintAtVersion(known, errors) }
            return isAllWell ? 0 : 1
        } catch is OutputClosed {
            // Whoever read has enough, as `head -1` does.
            return 1
        } catch {
            try? output.flush()
            let hint = error is UsageError ? "\nTry: undertone --help" : ""
            try? errors.append("undertone: \(describe(error))\(hint)\n")
            if let connector, error as? ClientError == .malformedReply {
                try? hintAtVersion(connector, errors)
            }
            try? errors.flush()
            return 2
        }
    }

    private static func run(
        _ invocation: Invocation, _ connector: Connector, _ output: Output, _ errors: Output
    ) throws -> Bool {
        switch invocation.task {
        case .print(let text):
            try output.append(text)
            return true
        case .socket:
            try output.append(try connector.path() + [UInt8(ascii: "\n")])
            return true
        case .send:
            return try SendCommand.run(try connector.connect(), output)
        case .status:
            let hint = try StatusCommand.run(
                #"{"op":"status"}"#, connector, output, invocation.isJSON)
            try output.flush()
            if let hint { try tell(hint, errors) }
            return true
        case .cache(let clear):
            let request = #"{"op":"cache","clear":\#(clear)}"#
            _ = try StatusCommand.run(request, connector, output, invocation.isJSON)
            return true
        case .doctor:
            return try DoctorCommand.run(connector, output, isJSON: invocation.isJSON)
        case .ask(let question, let names):
            return try ask(question.request, names, invocation, connector, output, errors)
        case .watch(let question, let name):
            return try watch(question.request, name, invocation, connector, output, errors)
        case .transition(let options):
            let terminal = TerminalPalette(invocation, isTerminal: output.isTerminal)
            return try TransitionCommand(
                options: options, terminal: terminal, file: invocation.card
            ).run(try Client(connector), output, errors)
        }
    }

    private static func ask(
        _ request: some PictureRequest, _ names: Invocation.PictureNames,
        _ invocation: Invocation, _ connector: Connector, _ output: Output, _ errors: Output
    ) throws -> Bool {
        let terminal = TerminalPalette(invocation, isTerminal: output.isTerminal)
        return try PictureCommand(
            request: request, names: names,
            presentation: Presentation(
                request: request, terminal: terminal, file: invocation.card)
        ).run(try connector.connect(), output, errors)
    }

    private static func watch(
        _ request: some PictureRequest, _ name: [UInt8],
        _ invocation: Invocation, _ connector: Connector, _ output: Output, _ errors: Output
    ) throws -> Bool {
        Interruption.endsWell()
        let terminal = TerminalPalette(invocation, isTerminal: output.isTerminal)
        return try WatchCommand(
            request: request, name: name,
            presentation: Presentation(
                request: request, terminal: terminal, file: invocation.card)
        ).run(try connector.connect(), output, errors)
    }

    /// Says so where an error may be due to the daemon's version.
    private static func hintAtVersion(_ connector: Connector, _ errors: Output) throws {
        if let hint = VersionHint.text(connector) { try tell(hint, errors) }
    }

    fileprivate static func tell(_ text: String, _ errors: Output) throws {
        try errors.append("undertone: \(printable(text))\n")
        try errors.flush()
    }

    private static func describe(_ error: any Error) -> String {
        switch error {
        case let error as UsageError: error.message
        case let error as ClientError: printable(error.description)
        default: printable("\(error)")
        }
    }
}

extension Connector {
    /// Connects as a command line says, and tells so where it is to.
    fileprivate init(_ invocation: Invocation, _ errors: Output) {
        self.init(
            socket: invocation.socket, startsDaemon: invocation.startsDaemon,
            report: { text in
                if invocation.isVerbose { try? CommandLineTool.tell(text, errors) }
            })
    }
}
