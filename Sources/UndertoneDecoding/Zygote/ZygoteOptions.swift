import UndertoneProtocol

/// What `undertone-decoder` was asked to be.
struct ZygoteOptions: Equatable {
    /// Which loaders it holds, and how narrow its children's filter is.
    var profile = DecoderProfile.raster
    /// Whether a picture may be decoded where the sandbox can't be had.
    var sandbox = SandboxRequirement.required
}

/// What the command line asks for.
enum ZygoteCommand: Equatable {
    case serve(ZygoteOptions)
    case help
    case version
    /// The command line is wrong, and why.
    case refuse(String)

    static let usage = """
        Usage: undertone-decoder [OPTION…]

        Decodes pictures for undertoned, one process each. It is started by undertoned,
        with a socket as descriptor 3, and is of no use by itself.

          --profile=raster|wide             which formats' loaders to hold (raster)
          --sandbox=required|best-effort    whether to decode without a full sandbox
                                            (required)
          --version                         print the version and exit
          --help                            print this text and exit

        """

    /// Reads the arguments after the program's name; a value follows its option or an equals sign.
    init(parsing arguments: some Collection<String>) {
        var options = ZygoteOptions()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            switch (name, parts.count) {
            case ("--help", 1), ("-h", 1):
                self = .help
                return
            case ("--version", 1):
                self = .version
                return
            case ("--profile", _), ("--sandbox", _):
                guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                    self = .refuse("\(name) needs a value")
                    return
                }
                guard options.set(name, to: value) else {
                    self = .refuse("\(name) can't be \"\(value)\"")
                    return
                }
            default:
                self = .refuse("unknown option \"\(argument)\"")
                return
            }
        }
        self = .serve(options)
    }
}

extension ZygoteOptions {
    fileprivate mutating func set(_ name: String, to value: String) -> Bool {
        if name == "--profile" {
            guard let profile = DecoderProfile(rawValue: value) else { return false }
            self.profile = profile
        } else {
            guard let sandbox = SandboxRequirement(rawValue: value) else { return false }
            self.sandbox = sandbox
        }
        return true
    }
}
