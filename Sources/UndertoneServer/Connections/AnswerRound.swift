import GLibSupport

/// Connections that something happened to, to be answered once all that are ready were read from.
///
/// What was read before the first answer of a round can share its looks at files: a round of many
/// connections costs one for each picture, not one for each question.
@MainContext
final class AnswerRound: FileWatch.RoundCloser {
    private var connections: [Connection] = []

    /// Adds a connection; its turn comes when every other descriptor of this round was served.
    func add(_ connection: Connection) {
        connections.append(connection)
        if connections.count == 1 { FileWatch.tellRoundsEnd(to: self) }
    }

    func closeRound() {
        var index = 0
        while index < connections.count {
            connections[index].advance()
            index += 1
        }
        connections.removeAll(keepingCapacity: true)
    }
}
