/// Where an exchange's questions come from.
protocol RequestSource: AnyObject {
    /// The descriptor that more questions come from, where they don't lie ready.
    var descriptor: Int32 { get }
    /// Takes what comes next, without waiting.
    func next() throws -> Supply
    /// Reads once from the descriptor, which is readable.
    func fill() throws
}

/// What a source of requests has.
enum Supply: Equatable {
    /// Bytes to send, and how many replies they ask for.
    case requests([UInt8], count: Int)
    /// Nothing until the descriptor is readable.
    case later
    /// Nothing any more.
    case end
}

/// Questions and their answers on one connection, side by side and in order.
struct Exchange {
    /// The bytes that may wait to be sent before more questions are taken.
    private static let outputBytes = 64 * 1024

    let connection: Connection
    /// How many questions may wait for their answers.
    let window: Int

    /// Sends all that a source has, and passes each reply on as it comes.
    ///
    /// `idle` is called before each wait, when all that has come has been passed on. Ends when the
    /// daemon has ended the connection, which it does once everything is answered.
    func run(
        _ source: some RequestSource, reply: ([UInt8]) throws -> Void,
        idle: () throws -> Void
    ) throws {
        var waiting = 0
        var isOver = false
        while true {
            while let line = try connection.nextLine() {
                // Below zero where a line is answered before its end is sent, as one that is too
                // long, and after `watch`, whose events nobody asked for one by one.
                waiting -= 1
                try reply(line)
            }
            if connection.isAtEnd { break }

            var isSourceDry = false
            while !isOver, !isSourceDry, waiting < window, try hasRoom() {
                switch try source.next() {
                case .requests(let bytes, let count):
                    connection.enqueue(bytes)
                    waiting += count
                case .later:
                    isSourceDry = true
                case .end:
                    isOver = true
                    connection.finish()
                }
            }
            try idle()
            if try connection.wait(alsoFor: isSourceDry ? source.descriptor : nil) {
                try source.fill()
            }
        }
        guard isOver, waiting <= 0 else { throw ClientError.closed(unanswered: max(waiting, 0)) }
    }

    /// Whether another question can be taken.
    private func hasRoom() throws -> Bool {
        if connection.pendingOutput < Exchange.outputBytes { return true }
        try connection.push()
        return connection.pendingOutput < Exchange.outputBytes
    }
}
