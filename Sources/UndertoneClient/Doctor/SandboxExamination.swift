internal import CGLib
internal import GLibSupport
internal import Glibc

/// Has the decoder try to get out of its sandbox, with both of its profiles.
enum SandboxExamination {
    /// What came of it; nothing where there is no daemon's program to have a decoder.
    static func findings() -> [Finding] {
        guard let daemon = DaemonProgram.find() else { return [] }
        guard let decoder = DecoderLocation.path(option: nil, ownProgram: daemon) else {
            return [
                .fault(
                    .sandbox, "there is no undertone-decoder beside undertoned",
                    do: "install the package undertone again")
            ]
        }
        return ["raster", "wide"].map { profile in
            let arguments = ["--check-sandbox", "--profile", profile].map { Array($0.utf8) }
            guard let fault = run([decoder] + arguments) else {
                return .good(.sandbox, "the \(profile) profile holds")
            }
            return .fault(
                .sandbox, "the \(profile) profile: \(fault)",
                do: "undertone-decoder --check-sandbox --profile \(profile) tells what is open")
        }
    }

    /// Runs a program; nil if it succeeds, else the last line of what it says, or how it ended.
    private static func run(_ arguments: [[UInt8]]) -> String? {
        let strings = unsafe arguments.map { unsafe strdup($0.cString) }
        defer { for index in unsafe strings.indices { unsafe free(strings[index]) } }
        var vector = unsafe strings + [nil]
        var status: gint = 0
        var words: UnsafeMutablePointer<CChar>?
        defer { unsafe g_free(words) }
        let flags = GSpawnFlags(G_SPAWN_STDOUT_TO_DEV_NULL.rawValue)
        guard
            unsafe g_spawn_sync(
                "/", &vector, nil, flags, nil, nil, nil, &words, &status, nil) != 0
        else { return "it cannot be started" }
        if status == 0 { return nil }
        let text = unsafe words.map { unsafe String(cString: $0) } ?? ""
        let lastLine = text.split(separator: "\n").last.map(String.init)
        return DaemonProgram.ending(status, lastLine: lastLine)
    }
}
