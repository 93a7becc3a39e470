/// Reads a WebP's RIFF header and its first chunks (WebP container specification).
enum WebPScanner {
    /// The size by VP8, VP8L or VP8X, orientation and profile by EXIF and ICCP, the end by the RIFF length.
    static func outline(_ bytes: Span<UInt8>, fileLength: Int) -> PictureOutline {
        var outline = PictureOutline(end: .missing, length: fileLength)
        guard let riffLength = bytes.littleEndian(at: 4, bytes: 4) else { return outline }
        let end = 8 + riffLength
        if end <= fileLength {
            outline.end = .seen
            outline.pieces = [0..<end]
        }
        outline.size = size(bytes)

        var offset = 12
        while offset + 8 <= Swift.min(end, bytes.count),
            let length = bytes.littleEndian(at: offset + 4, bytes: 4)
        {
            let content = offset + 8..<offset + 8 + length
            guard content.upperBound <= bytes.count else { break }
            if bytes.holds("EXIF", at: offset) {
                outline.orientation = EXIFOrientation.read(bytes.extracting(content))
            } else if bytes.holds("ICCP", at: offset) {
                outline.profile = content.map { bytes[$0] }
            }
            // Chunks are padded to even lengths.
            offset += 8 + length + length % 2
        }
        return outline
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
