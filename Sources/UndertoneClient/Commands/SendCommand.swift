internal import Glibc
internal import UndertoneProtocol

/// `undertone send`: passes lines on, whatever is in them.
enum SendCommand {
    /// Sends standard input and prints the replies; returns whether none of them was an error.
    static func run(_ connection: Connection, _ output: Output) throws -> Bool {
        var isAllWell = true
        var last: JSONDocument?
        do {
            // The daemon itself says how much it takes, by not reading on.
            try Exchange(connection: connection, window: .max).run(
                InputLines(),
                reply: { line in
                    last = try JSONDocument(parsing: line)["error"]
                    if last != nil { isAllWell = false }
                    try output.append(line)
                    try output.append("\n")
                },
                idle: { try output.flush() })
        } catch ClientError.closed(unanswered: 0)
            where last?["code"]?.text == ErrorCode.busy.rawValue
        {
            // A daemon that takes no more clients says why it ends the connection.
            return false
        }
        return isAllWell
    }
}

/// Standard input as it is, with a count of its lines.
///
/// Lines are not kept whole: one may be longer than memory, and then the daemon says so.
final class InputLines: RequestSource {
    private var piece: ArraySlice<UInt8> = []
    private var isAtEnd = false
    /// Whether the line that is being read holds anything: the daemon does not answer blank ones.
    private var hasContent = false

    var descriptor: Int32 { STDIN_FILENO }

    func next() throws -> Supply {
        if !piece.isEmpty {
            defer { piece = [] }
            return .requests(Array(piece), count: count(piece))
        }
        guard isAtEnd else { return .later }
        // The last line may lack its newline.
        defer { hasContent = false }
        return hasContent ? .requests([], count: 1) : .end
    }

    func fill() throws {
        piece = try InputPieces.read()
        if piece.isEmpty { isAtEnd = true }
    }

    /// Counts the ends of lines that are not blank.
    func count(_ bytes: some Sequence<UInt8>) -> Int {
        var lines = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n"):
                if hasContent { lines += 1 }
                hasContent = false
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
            default: hasContent = true
            }
        }
        return lines
    }
}
