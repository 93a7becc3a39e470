internal import UndertoneProtocol

/// A question about one picture.
protocol PictureRequest: Equatable {
    /// What answers it.
    associatedtype Answer: PictureAnswer
    /// The operation's name on the wire; nil for the default one.
    static var operation: String? { get }
    /// Whether the result is another program's file, to be passed on as it is.
    var isForeign: Bool { get }
    /// The contrast ratio that text is to reach; nil for the operation's own.
    var contrast: Double? { get }
    /// Writes the members that say what is to be known; none for what is left to the daemon.
    func writeOptions(_ writer: inout JSONWriter)
}

/// An answer, and how it is shown.
protocol PictureAnswer {
    /// Takes a reply's result.
    init(_ result: JSONDocument) throws(ClientError)
    /// Draws it on a terminal; each line ends with a newline, and an empty one ends it all.
    ///
    /// - Parameter contrast: The ratio that text was asked to reach, where the operation takes one.
    func draw(_ name: [UInt8], on terminal: TerminalPalette, for contrast: Double) -> String
    /// Draws it on a card.
    func row(_ name: [UInt8]) -> CardRow
}

extension PictureRequest {
    var isForeign: Bool { false }
    var contrast: Double? { nil }
    /// The ratio that text is to reach, where the daemon's choice is known too.
    var textContrast: Double { contrast ?? ColorRequest.defaultContrast }

    /// Writes the question about one picture as a line, newline included.
    ///
    /// - Parameter path: An absolute path.
    func request(path: [UInt8]) -> [UInt8] {
        var writer = JSONWriter()
        write(path: path, &writer)
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    /// Writes the question to be answered again whenever the picture changes, in the same way.
    func watchRequest(path: [UInt8]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("op", "watch")
        writer.name("request")
        write(path: path, &writer)
        writer.endObject()
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private func write(path: [UInt8], _ writer: inout JSONWriter) {
        writer.beginObject()
        if let operation = Self.operation { writer.member("op", operation) }
        writer.path(path)
        writeOptions(&writer)
        writer.endObject()
    }
}

extension JSONWriter {
    /// Writes a member that is text; nil for none.
    mutating func member(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        self.name(name)
        value(text)
    }

    /// Writes a member that is a number; nil for none.
    mutating func member(_ name: StaticString, _ number: Double?) {
        guard let number else { return }
        self.name(name)
        value(number)
    }

    /// Writes a member that is a whole number; nil for none.
    mutating func member(_ name: StaticString, _ number: Int?) {
        guard let number else { return }
        self.name(name)
        value(number)
    }
}
