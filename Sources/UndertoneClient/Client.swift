internal import GLibSupport

/// Asks the daemon one question at a time.
///
/// For programs; those that ask about many pictures use a `Connection` and send ahead.
public struct Client {
    private let connection: Connection

    /// Connects, and starts a daemon where none runs and `connector` allows it.
    public init(_ connector: Connector = Connector()) throws(ClientError) {
        connection = try connector.connect()
    }

    /// Asks for a picture's colours.
    ///
    /// - Parameter path: The picture's path; a relative one is made absolute.
    /// - Throws: `refused` with the daemon's own error, or why it could not be asked.
    public func color(
        _ path: [UInt8], _ options: ColorOptions = ColorOptions()
    ) throws(ClientError) -> ColorAnswer {
        let absolute: [UInt8]
        do throws(SystemError) {
            absolute = try PathBytes.absolute(path)
        } catch {
            throw .system(error)
        }
        return try ColorAnswer(JSONDocument.result(of: ask(options.request(path: absolute))))
    }

    /// Sends one line and returns its reply.
    func ask(_ line: [UInt8]) throws(ClientError) -> [UInt8] {
        connection.enqueue(line)
        while true {
            if let reply = try connection.nextLine() { return reply }
            if connection.isAtEnd { throw .closed(unanswered: 1) }
            try connection.wait()
        }
    }
}
