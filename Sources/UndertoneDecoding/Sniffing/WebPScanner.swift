/// Walks a WebP's RIFF chunks (WebP container specification).
enum WebPScanner {
    /// A chunk: where its type, its content and the next chunk are.
    private struct Chunk {
        var type: Int
        var content: Range<Int>
        /// Chunks are padded to even lengths.
        var next: Int { content.upperBound + content.count % 2 }
    }

    /// The size by VP8, VP8L or VP8X, the end by the RIFF length, and orientation and profile by
    /// EXIF and ICCP. Of an animation, the first frame is the picture.
    static func outline(_ bytes: Span<UInt8>, fileLength: Int) -> PictureOutline {
        var outline = PictureOutline(end: .missing, length: fileLength)
        guard let riffLength = bytes.littleEndian(at: 4, bytes: 4) else { return outline }
        let end = 8 + riffLength
        outline.end = DataEnd(needed: end, fileLength: fileLength)
        if outline.end == .seen { outline.pieces = [.file(0..<end)] }
        outline.size = size(bytes)

        var offset = 12
        while offset < end, let chunk = chunk(bytes, at: offset) {
            if bytes.holds("ANMF", at: chunk.type), !outline.isAnimated {
                outline.isAnimated = true
                outline.end = DataEnd(needed: chunk.next, fileLength: fileLength)
                if outline.end == .seen { outline.pieces = firstFrame(endingAt: chunk.next) }
            }
            guard chunk.content.upperBound <= bytes.count else { break }
            if bytes.holds("EXIF", at: chunk.type) {
                outline.orientation = EXIFOrientation.read(bytes.extracting(chunk.content))
            } else if bytes.holds("ICCP", at: chunk.type) {
                outline.profile = .icc(chunk.content.map { bytes[$0] })
            }
            offset = chunk.next
        }
        return outline
    }

    private static func chunk(_ bytes: Span<UInt8>, at offset: Int) -> Chunk? {
        guard let length = bytes.littleEndian(at: offset + 4, bytes: 4) else { return nil }
        return Chunk(type: offset, content: offset + 8..<offset + 8 + length)
    }

    /// A file that ends with its first frame.
    private static func firstFrame(endingAt end: Int) -> [Piece] {
        let length = UInt32(truncatingIfNeeded: end - 8)
        let header = Array("RIFF".utf8) + (0..<4).map { UInt8(length >> (8 * $0) & 255) }
        return [.substitute(header), .file(8..<end)]
    }

    private static func size(_ bytes: Span<UInt8>) -> PixelSize? {
        if bytes.holds("VP8X", at: 12),
            let width = bytes.littleEndian(at: 24, bytes: 3),
            let height = bytes.littleEndian(at: 27, bytes: 3)
        {
            return PixelSize(width: width + 1, height: height + 1)
        }
        if bytes.holds("VP8L", at: 12), bytes.byte(at: 20) == 0x2F,
            let bits = bytes.littleEndian(at: 21, bytes: 4)
        {
            return PixelSize(width: (bits & 0x3FFF) + 1, height: (bits >> 14 & 0x3FFF) + 1)
        }
        if bytes.holds("VP8 ", at: 12),
            let width = bytes.littleEndian(at: 26, bytes: 2),
            let height = bytes.littleEndian(at: 28, bytes: 2)
        {
            return PixelSize(width: width & 0x3FFF, height: height & 0x3FFF)
        }
        return nil
    }
}
