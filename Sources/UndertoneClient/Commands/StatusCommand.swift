/// `undertone status` and `undertone cache`: asks for the daemon's state, or a part of it.
enum StatusCommand {
    /// Asks, and tells it to people on a terminal, else as the daemon's own line.
    ///
    /// - Returns: A hint where the daemon says that it is of another version.
    static func run(
        _ request: String, _ connector: Connector, _ output: Output, _ isJSON: Bool
    ) throws -> String? {
        let client = try Client(connector)
        let reply = try client.askForState(request)
        let status = try JSONDocument.result(of: reply)
        if isJSON || !output.isTerminal {
            try output.append(reply + [UInt8(ascii: "\n")])
        } else {
            try output.append(StatusView.draw(status, socket: try connector.path()))
        }
        return VersionHint.text(status)
    }
}
