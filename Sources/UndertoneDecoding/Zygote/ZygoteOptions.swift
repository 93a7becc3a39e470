import GLibSupport
import UndertoneProtocol

/// What `undertone-decoder` was asked to be.
struct ZygoteOptions: Equatable {
    /// Which loaders it holds, and how narrow its children's filter is.
    var profile = DecoderProfile.raster
    /// Whether a picture may be decoded where the sandbox can't be had.
    var sandbox = SandboxRequirement.required
    /// Seconds after which the daemon ends a child.
    var deadlineSeconds = Limits.deadlineSeconds
    /// What a check of the sandbox is to use.
    var mechanisms = Set(SandboxMechanism.allCases)
}

/// What the command line asks for.
enum ZygoteCommand: Equatable {
    case serve(ZygoteOptions)
    case checkSandbox(ZygoteOptions)
    case version

    /// Parses arguments, the program's name first; `--help` is answered here.
    init(_ arguments: [[UInt8]]) throws(OptionFailure) {
        let parser = OptionParser(
            summary: """
                Decodes pictures for undertoned, one process each. It is started by undertoned,
                with a socket as descriptor 3.
                """)
        let profile = parser.bytes(
            "profile", "NAME", "Hold the loaders of these formats: raster (the default), wide")
        let sandbox = parser.bytes(
            "sandbox", "HOW",
            "Decode without a full sandbox, or not: required (the default), best-effort")
        let deadline = parser.integer("deadline", "SECONDS", "Give each picture so much time")
        let checksSandbox = parser.flag(
            "check-sandbox",
            "Try to get out of the profile's sandbox, print what is refused, and exit: 0 if it holds"
        )
        let mechanisms = parser.bytes(
            "mechanisms", "NAMES", "Check these: landlock,seccomp (the default), one of them, none")
        let version = parser.flag("version", "Print the version")
        guard try parser.parse(arguments).isEmpty else {
            throw OptionFailure(message: "there are no arguments but options")
        }
        var options = ZygoteOptions()
        options.profile = try profile.choice() ?? options.profile
        options.sandbox = try sandbox.choice() ?? options.sandbox
        options.deadlineSeconds =
            try deadline.number(in: Limits.deadlineChoices) ?? options.deadlineSeconds
        if let names = mechanisms.value { options.mechanisms = try Self.mechanisms(names) }
        self =
            if version.value {
                .version
            } else if checksSandbox.value {
                .checkSandbox(options)
            } else {
                .serve(options)
            }
    }

    private static func mechanisms(
        _ list: [UInt8]
    ) throws(OptionFailure) -> Set<SandboxMechanism> {
        let text = String(decoding: list, as: UTF8.self)
        if text == "none" { return [] }
        var mechanisms: Set<SandboxMechanism> = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let mechanism = SandboxMechanism(rawValue: String(name)) else {
                throw OptionFailure(message: "--mechanisms must be none or of: landlock, seccomp")
            }
            mechanisms.insert(mechanism)
        }
        return mechanisms
    }
}
