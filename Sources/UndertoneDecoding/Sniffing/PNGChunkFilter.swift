import UndertoneProtocol

/// Takes the large chunks that are not of the picture itself out of a PNG that comes in pieces.
///
/// libpng collects a chunk before it looks at it, and copies all that it has with every piece.
struct PNGChunkFilter {
    /// The bytes of the next chunk's length and type that have come so far.
    private var header: [UInt8] = []
    /// How many bytes of the current chunk, its checksum included, are still to come. The signature
    /// goes through like a chunk.
    private var remaining = 8
    private var isDropped = false
    private var isLast = false

    /// The most bytes of a chunk that is handed on whatever it is.
    private static let keptBytes = Limits.pieceBytes

    /// Whether the last chunk has come, and with it the picture's end.
    var haveEnded: Bool { isLast && remaining == 0 }

    /// What is to be fed of the next piece.
    mutating func parts(of piece: Span<UInt8>) -> [Piece] {
        var parts: [Piece] = []
        var offset = 0
        while offset < piece.count, !haveEnded {
            if remaining > 0 {
                let end = min(piece.count, offset + remaining)
                if !isDropped { parts.append(.file(offset..<end)) }
                remaining -= end - offset
                offset = end
            } else {
                header.append(piece[offset])
                offset += 1
                if header.count == 8 { begin(&parts) }
            }
        }
        return parts
    }

    private mutating func begin(_ parts: inout [Piece]) {
        let length = header.span.bigEndian(at: 0, bytes: 4) ?? 0
        // A small first letter says that a chunk is not needed for the pixels.
        let isAncillary = header[4] & 0x20 != 0 && !header.span.holds("iCCP", at: 4)
        isDropped = isAncillary && length > Self.keptBytes
        isLast = header.span.holds("IEND", at: 4)
        if !isDropped { parts.append(.substitute(header)) }
        remaining = length + 4
        header = []
    }
}
