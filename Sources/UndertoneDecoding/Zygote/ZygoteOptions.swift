import UndertoneProtocol

/// What `undertone-decoder` was asked to be.
struct ZygoteOptions: Equatable {
    /// Which loaders it holds, and how narrow its children's filter is.
    var profile = DecoderProfile.raster
    /// Whether a picture may be decoded where the sandbox can't be had.
    var sandbox = SandboxRequirement.required
    /// What a check of the sandbox is to use.
    var mechanisms = Set(SandboxMechanism.allCases)
}

/// What the command line asks for.
enum ZygoteCommand: Equatable {
    case serve(ZygoteOptions)
    case checkSandbox(ZygoteOptions)
    case help
    case version
    /// The command line is wrong, and why.
    case refuse(String)

    static let usage = """
        Usage: undertone-decoder [OPTION…]

        Decodes pictures for undertoned, one process each. It is started by undertoned,
        with a socket as descriptor 3.

          --profile=raster|wide             which formats' loaders to hold (raster)
          --sandbox=required|best-effort    whether to decode without a full sandbox
                                            (required)
          --check-sandbox                   try to get out of the profile's sandbox, print
                                            what is refused, and exit: 0 if it holds
          --mechanisms=landlock,seccomp     what the check uses: one, both (the default)
                                            or none
          --version                         print the version and exit
          --help                            print this text and exit

        """

    /// Reads the arguments after the program's name; a value follows its option or an equals sign.
    init(parsing arguments: some Collection<String>) {
        var options = ZygoteOptions()
        var checksSandbox = false
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
            case ("--check-sandbox", 1):
                checksSandbox = true
            case ("--profile", _), ("--sandbox", _), ("--mechanisms", _):
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
        self = checksSandbox ? .checkSandbox(options) : .serve(options)
    }
}

extension ZygoteOptions {
    fileprivate mutating func set(_ name: String, to value: String) -> Bool {
        switch name {
        case "--profile":
            guard let profile = DecoderProfile(rawValue: value) else { return false }
            self.profile = profile
        case "--sandbox":
            guard let sandbox = SandboxRequirement(rawValue: value) else { return false }
            self.sandbox = sandbox
        default:
            let names = value == "none" ? [] : value.split(separator: ",")
            let mechanisms = names.compactMap { SandboxMechanism(rawValue: String($0)) }
            guard mechanisms.count == names.count, names.count > 0 || value == "none" else {
                return false
            }
            self.mechanisms = Set(mechanisms)
        }
        return true
    }
}
