internal import GLibSupport
internal import UndertoneProtocol

/// A command line, understood.
struct Invocation: Equatable {
    /// What is to be done.
    enum Task: Equatable {
        case ask(Question, PictureNames)
        case transition(TransitionOptions)
        case watch(Question, [UInt8])
        case status
        case cache(clear: Bool)
        case doctor
        case send
        case socket
        /// Text to print, which is all.
        case print(String)
    }

    /// Where the names of pictures come from.
    enum PictureNames: Equatable {
        case given([[UInt8]])
        /// Standard input, where each name ends with this byte.
        case input(separator: UInt8)
    }

    /// When swatches are printed.
    enum Swatches: String, CaseIterable {
        case auto, always, never
    }

    var task: Task
    var socket: [UInt8]?
    var isVerbose = false
    var startsDaemon = true
    var isJSON = false
    var swatches = Swatches.auto
    /// The file that a card is drawn into.
    var card: [UInt8]?

    /// Understands a command line, the program's name first.
    init(_ arguments: [[UInt8]]) throws {
        // An option's value cannot be told from the command before all options are known; once the
        // command is, its own options are all that is allowed.
        let first = try Options.parse(arguments, Options())
        let named = first.rest.first.flatMap(Command.init(bytes:))
        let command = named ?? .color
        let watched = try first.options.watched()
        if first.options.help.value {
            let program = ["undertone", named?.rawValue].compactMap { $0 }.joined(separator: " ")
            let options = Options(of: command, watching: watched)
            task = .print(options.parser.help(program: program) + Command.footer)
            return
        }
        if first.options.version.value {
            task = .print("undertone \(Version.current)\n")
            return
        }
        var (options, rest) = try Options.parse(
            arguments, Options(of: command, watching: watched))
        if named != nil { rest.removeFirst() }
        task = try Task(command, watched, options, rest)
        socket = options.socket.value
        isVerbose = options.verbose.value
        startsDaemon = !options.noStart.value
        isJSON = options.json.value
        swatches = try options.color.value.map { try choice("color", $0) } ?? .auto
        card = try options.cardFile()
    }
}

extension Invocation.Task {
    fileprivate init(
        _ command: Command, _ watched: Command, _ options: Options, _ rest: [[UInt8]]
    ) throws {
        if let question = try Question(command, options) {
            self = .ask(question, try Invocation.PictureNames(options, rest))
            return
        }
        switch command {
        case .transition: self = .transition(try TransitionOptions(options, rest))
        case .watch:
            guard rest.count == 1, let question = try Question(watched, options) else {
                throw UsageError("watch takes one picture")
            }
            self = .watch(question, rest[0])
        case .cache:
            let clears = rest.first == Array("clear".utf8)
            if let surplus = rest.dropFirst(clears ? 1 : 0).first {
                throw UsageError("cache takes nothing but clear: \(printable(surplus))")
            }
            self = .cache(clear: clears)
        default:
            if let surplus = rest.first {
                throw UsageError("\(command.rawValue) takes no arguments: \(printable(surplus))")
            }
            self =
                switch command {
                case .status: .status
                case .doctor: .doctor
                case .send: .send
                default: .socket
                }
        }
    }
}

extension Options {
    fileprivate static func parse(
        _ arguments: [[UInt8]], _ options: Options
    ) throws -> (options: Options, rest: [[UInt8]]) {
        do throws(OptionFailure) {
            return (options, try options.parser.parse(arguments))
        } catch {
            throw UsageError(error.message)
        }
    }

    /// The operation that is watched.
    fileprivate func watched() throws -> Command {
        let choices: [Command] = [.color, .palette, .indicator, .theme]
        guard let value = operation.value else { return .color }
        guard let command = Command(bytes: value), choices.contains(command) else {
            throw UsageError.notOneOf("op", choices.map(\.rawValue), value)
        }
        return command
    }
}

extension Command {
    fileprivate init?(bytes: [UInt8]) {
        self.init(rawValue: String(decoding: bytes, as: UTF8.self))
    }
}

extension Invocation.PictureNames {
    fileprivate init(_ options: Options, _ names: [[UInt8]]) throws {
        let input: [UInt8] = [UInt8(ascii: "-")]
        if names == [input] {
            self = .input(separator: options.null.value ? 0 : UInt8(ascii: "\n"))
        } else if names.isEmpty {
            throw UsageError("no picture is named")
        } else if names.contains(input) {
            throw UsageError("- stands for standard input only where it is the only name")
        } else if options.null.value {
            throw UsageError("--null is for names on standard input: name it with -")
        } else {
            self = .given(names)
        }
    }
}
