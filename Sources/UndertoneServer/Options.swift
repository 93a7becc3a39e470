import CGLib
import GLibSupport
import UndertoneProtocol

/// The daemon's command line.
struct Options {
    /// Where the socket is to be, if told.
    var socket: [UInt8]?
    /// Where the decoder's program is, if told.
    var decoder: [UInt8]?
    /// Pictures that are decoded at once: by default one for each processor.
    var jobs = min(Int(g_get_num_processors()), Limits.slots)
    /// Seconds that one picture may take.
    var deadlineSeconds = Limits.deadlineSeconds
    /// Bytes of summaries kept in memory.
    var memoryCacheBytes = Limits.memoryCacheBytes
    /// Bytes of summaries kept on disk; 0 for none.
    var diskCacheBytes = Limits.diskCacheBytes
    /// Whether pictures are decoded where they cannot be confined.
    var sandbox = SandboxRequirement.required
    /// Seconds without a client after which the daemon ends; nil for never.
    var idleExitSeconds: Int?
    /// How much is told on standard error.
    var logLevel = Log.Level.info
    /// Whether only the version is wanted.
    var version = false

    /// Parses arguments, the program's name first.
    init(_ arguments: [[UInt8]]) throws(OptionFailure) {
        let parser = OptionParser(
            summary: "Answers what colour a picture is, on a Unix socket, one JSON line at a time.")
        let socket = parser.bytes("socket", "PATH", "Listen on this socket")
        let decoder = parser.bytes("decoder", "PATH", "Decode pictures with this program")
        let jobs = parser.integer(
            "jobs", short: "j", "N", "Decode so many pictures at once (\(self.jobs))")
        let deadline = parser.integer(
            "deadline", "SECONDS", "Give each picture so much time (\(deadlineSeconds))")
        let memory = parser.integer(
            "memory-cache", "MIB", "Keep so much in memory (\(memoryCacheBytes >> 20))")
        let disk = parser.integer(
            "cache-size", "MIB", "Keep so much on disk (\(diskCacheBytes >> 20)); 0 for nothing")
        let noCache = parser.flag("no-cache", "Keep nothing on disk")
        let requirements = SandboxRequirement.allCases.map(\.rawValue).joined(separator: ", ")
        let sandbox = parser.bytes(
            "sandbox", "HOW", "What confinement a picture must have: \(requirements)")
        let levels = Log.Level.allCases.map(\.name).joined(separator: ", ")
        let level = parser.bytes("log-level", "LEVEL", "Tell so much (\(logLevel.name)): \(levels)")
        let idle = parser.integer(
            "idle-exit", "SECONDS", "End after so much time without a client (never)")
        let version = parser.flag("version", "Print the version")
        guard try parser.parse(arguments).isEmpty else {
            throw OptionFailure(message: "there are no arguments but options")
        }
        self.socket = socket.value
        self.decoder = decoder.value
        self.version = version.value
        self.jobs = try jobs.number(in: 1...Limits.slots) ?? self.jobs
        deadlineSeconds = try deadline.number(in: Limits.deadlineChoices) ?? deadlineSeconds
        if let mebibytes = try memory.number(in: 0...65536) { memoryCacheBytes = mebibytes << 20 }
        if let mebibytes = try disk.number(in: 0...1_048_576) { diskCacheBytes = mebibytes << 20 }
        if noCache.value { diskCacheBytes = 0 }
        self.sandbox = try sandbox.choice() ?? self.sandbox
        idleExitSeconds = try idle.number(in: Limits.idleExitChoices)
        logLevel = try level.choice(named: \.name) ?? logLevel
    }
}
