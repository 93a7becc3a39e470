internal import UndertoneProtocol

extension FuzzTarget {
    /// The line buffer: the lines do not depend on how they arrive, and little is held.
    ///
    /// An input is the limit, a seed for the sizes of the pieces, and what a client sends.
    static let lines = FuzzTarget(
        name: "lines", maximumBytes: 1024, runs: 1_000_000,
        seeds: { lineSeeds }
    ) { bytes throws(Violation) in
        var input = FuzzInput(bytes)
        let limit = input.integer(upTo: 64)
        var pieces = Pieces(state: input.integer(UInt16.self))
        let sent = input.remainder()

        let expected = linesByDefinition(of: sent, limit: limit)
        var buffer = LineBuffer(limit: limit)
        var rest = sent[...]
        var found: [LineBuffer.Line] = []
        while !rest.isEmpty {
            let piece = rest.prefix(pieces.next())
            rest = rest.dropFirst(piece.count)
            buffer.append(Array(piece))
            while let line = buffer.next() { found.append(line) }
            try require(buffer.pendingCount <= limit + 1, "\(buffer.pendingCount) bytes are held")
        }
        if let last = buffer.finish() { found.append(last) }
        try require(buffer.pendingCount == 0, "nothing is left at the end")
        try require(found == expected, "\(sent) is \(expected), not \(found)")

        var whole = LineBuffer(limit: limit)
        whole.append(sent)
        var atOnce: [LineBuffer.Line] = []
        while let line = whole.next() { atOnce.append(line) }
        if let last = whole.finish() { atOnce.append(last) }
        try require(atOnce == expected, "\(sent) at once is \(expected), not \(atOnce)")
    }

    /// The protocol's definition of lines, written for clearness only.
    private static func linesByDefinition(of sent: [UInt8], limit: Int) -> [LineBuffer.Line] {
        let blanks = Array(" \t\r".utf8)
        return sent.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
            .compactMap { part in
                let line = part.last == UInt8(ascii: "\r") ? part.dropLast() : part
                if line.count > limit { return .tooLong }
                let text = line.drop(while: blanks.contains).reversed()
                    .drop(while: blanks.contains).reversed()
                return text.isEmpty ? nil : .text(Array(text))
            }
    }

    /// Sizes of pieces, most of them small, some the rest of the input.
    private struct Pieces {
        var state: UInt16

        mutating func next() -> Int {
            // A linear congruential step: any sequence will do, if it is the input's own.
            state = state &* 25173 &+ 13849
            let size = Int(state >> 8) & 15
            return size == 15 ? .max : size + 1
        }
    }

    private static let lineSeeds: [[UInt8]] = {
        let texts = [
            "{\"path\":\"/a\"}\n{\"id\":2}\r\n\n  \t\r\n {\"id\":3} \r\n{\"id\":4}",
            "abc\r\nabcd\r\nabcd\r", "abcdefgh\nabcdefghi\r\n", "\r\r\n\r", "\n\n\n",
            String(repeating: "x", count: 200) + "\ny\n" + String(repeating: " ", count: 100) + "z",
        ]
        return texts.flatMap { text in
            [UInt8(3), 8, 64].map { limit in [limit, 0, 0, 0, limit, 1] + Array(text.utf8) }
        }
    }()
}
