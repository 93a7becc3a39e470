internal import UndertoneProtocol

/// What to say where the daemon that runs is of another version than this program, as it is after
/// an upgrade.
enum VersionHint {
    /// The hint for a daemon by its `status`; nil where both are of one version.
    static func text(_ status: JSONDocument) -> String? {
        difference(status).map { "\($0): \(advice(status))" }
    }

    /// Both versions; nil where they are one.
    static func difference(_ status: JSONDocument) -> String? {
        guard let version = status["version"]?.text, version != Version.current else { return nil }
        return "the daemon that runs is version \(version), and this program \(Version.current)"
    }

    /// The same by asking the daemon; nil also where it cannot be asked, or none runs.
    static func text(_ connector: Connector) -> String? {
        var connector = connector
        connector.startsDaemon = false
        guard let client = try? Client(connector), let status = try? client.status() else {
            return nil
        }
        return text(status)
    }

    /// How to have the new daemon: a service manager's socket starts it, or the next client does.
    static func advice(_ status: JSONDocument) -> String {
        let pid = status["pid"]?.integer.map(String.init) ?? "PID"
        return "end it with kill \(pid), and the next question starts the new one"
    }
}
