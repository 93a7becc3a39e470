internal import GLibSupport

/// Asks the daemon one question at a time.
///
/// For programs; those that ask about many pictures use a `Connection` and send ahead. Paths that
/// are relative are made absolute. Every question throws `refused` with the daemon's own error, or
/// why it could not be asked.
public struct Client {
    private let connection: Connection
    /// The connection's number, to be waited for.
    var descriptor: Int32 { connection.descriptor }

    /// Connects, and starts a daemon where none runs and `connector` allows it.
    public init(_ connector: Connector = Connector()) throws(ClientError) {
        connection = try connector.connect()
    }

    /// Asks for a picture's colours.
    public func color(
        _ path: [UInt8], _ options: ColorOptions = ColorOptions()
    ) throws(ClientError) -> ColorAnswer {
        try ask(options, about: path)
    }

    /// Asks for the colours that a picture is made of.
    public func palette(
        _ path: [UInt8], _ options: PaletteOptions = PaletteOptions()
    ) throws(ClientError) -> PaletteAnswer {
        try ask(options, about: path)
    }

    /// Asks for the strip under a picture.
    ///
    /// - Parameter options: A glyph's path in it is absolute.
    public func indicator(
        _ path: [UInt8], _ options: IndicatorOptions = IndicatorOptions()
    ) throws(ClientError) -> IndicatorAnswer {
        try ask(options, about: path)
    }

    /// Asks for a theme made from a picture.
    public func theme(
        _ path: [UInt8], _ options: ThemeOptions = ThemeOptions()
    ) throws(ClientError) -> ThemeAnswer {
        try ask(options, about: path)
    }

    /// Asks for the way from one colour or picture to another.
    ///
    /// - Parameter options: Paths in it are absolute.
    public func transition(_ options: TransitionOptions) throws(ClientError) -> TransitionAnswer {
        try TransitionAnswer(JSONDocument.result(of: ask(options.request())))
    }

    private func ask<Request: PictureRequest>(
        _ request: Request, about path: [UInt8]
    ) throws(ClientError) -> Request.Answer {
        let path = try PathBytes.absolute(path)
        return try Request.Answer(JSONDocument.result(of: ask(request.request(path: path))))
    }

    /// Asks for the daemon's state.
    func status() throws(ClientError) -> JSONDocument {
        try result(of: #"{"op":"status"}"#)
    }

    /// Asks for the state of the daemon's cache.
    func cache() throws(ClientError) -> JSONDocument {
        try result(of: #"{"op":"cache"}"#)
    }

    private func result(of request: String) throws(ClientError) -> JSONDocument {
        try JSONDocument.result(of: askForState(request))
    }

    /// Asks what the daemon answers at once, or within some seconds where a disk is slow.
    ///
    /// - Parameter patience: The seconds to wait for the whole reply.
    /// - Throws: `ClientError.silent` where none comes.
    func askForState(
        _ request: String, patience: Double = Connection.patienceForState
    ) throws(ClientError) -> [UInt8] {
        connection.deadline = MainContext.now + patience
        defer { connection.deadline = nil }
        return try ask(Array(request.utf8) + [UInt8(ascii: "\n")])
    }

    /// Sends one line and returns its reply.
    func ask(_ line: [UInt8]) throws(ClientError) -> [UInt8] {
        connection.enqueue(line)
        var isLate = false
        while true {
            if let reply = try connection.nextLine() { return reply }
            if connection.isAtEnd { throw .closed(unanswered: 1) }
            if isLate { throw .silent }
            // What has come by then is still looked at, however late this process gets to it.
            isLate = connection.isLate
            try connection.wait()
        }
    }
}
