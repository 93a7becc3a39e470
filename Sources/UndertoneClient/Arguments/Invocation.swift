internal import GLibSupport
internal import UndertoneProtocol

/// A command line, understood.
struct Invocation: Equatable {
    /// What is to be done.
    enum Task: Equatable {
        case color(ColorOptions, PictureNames)
        case status
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

    /// Understands a command line, the program's name first.
    init(_ arguments: [[UInt8]]) throws {
        // An option's value cannot be told from the command before all options are known; once the
        // command is, its own options are all that is allowed.
        let first = try Options.parse(arguments, for: nil)
        let named = first.rest.first.flatMap(Command.init(bytes:))
        let command = named ?? .color
        if first.options.help.value {
            let program = ["undertone", named?.rawValue].compactMap { $0 }.joined(separator: " ")
            task = .print(Options(of: command).parser.help(program: program) + Command.footer)
            return
        }
        if first.options.version.value {
            task = .print("undertone \(Version.current)\n")
            return
        }
        var (options, rest) = try Options.parse(arguments, for: command)
        if named != nil { rest.removeFirst() }
        if command != .color, let surplus = rest.first {
            throw UsageError("\(command.rawValue) takes no arguments: \(printable(surplus))")
        }

        task =
            switch command {
            case .color: .color(try ColorOptions(options), try PictureNames(options, rest))
            case .status: .status
            case .send: .send
            case .socket: .socket
            }
        socket = options.socket.value
        isVerbose = options.verbose.value
        startsDaemon = !options.noStart.value
        isJSON = options.json.value
        swatches = try options.color.value.map { try choice("color", $0) } ?? .auto
    }
}

extension Options {
    fileprivate static func parse(
        _ arguments: [[UInt8]], for command: Command?
    ) throws -> (options: Options, rest: [[UInt8]]) {
        let options = Options(of: command)
        do throws(OptionFailure) {
            return (options, try options.parser.parse(arguments))
        } catch {
            throw UsageError(error.message)
        }
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
