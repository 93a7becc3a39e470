/// Walks a GIF's blocks up to the end of its first frame (GIF89a specification).
enum GIFScanner {
    /// The size by the logical screen, or by the first image where that has none, and the end by
    /// the first image's pixels and last sub-block.
    ///
    /// Nothing behind the first frame is to be fed: decoding is quadratic in frames, and only the
    /// first counts.
    static func outline(_ bytes: Span<UInt8>, fileLength: Int) -> PictureOutline {
        var outline = PictureOutline(end: .missing, length: fileLength)
        guard let width = bytes.littleEndian(at: 6, bytes: 2),
            let height = bytes.littleEndian(at: 8, bytes: 2),
            let flags = bytes.byte(at: 10)
        else { return outline }
        outline.size = PixelSize(width: width, height: height)

        var offset = 13 + colorTableLength(flags)
        var isTransparent = false
        while let introducer = bytes.byte(at: offset) {
            switch introducer {
            case 0x21:  // an extension: its label, then sub-blocks
                // A graphic control extension says whether a color is.
                if bytes.byte(at: offset + 1) == 0xF9, let flags = bytes.byte(at: offset + 3) {
                    isTransparent = flags & 1 != 0
                }
                guard let next = offsetAfterBlocks(bytes, from: offset + 2) else { return outline }
                offset = next
            case 0x2C:  // the first image: descriptor, color table, code size, sub-blocks
                guard let width = bytes.littleEndian(at: offset + 5, bytes: 2),
                    let height = bytes.littleEndian(at: offset + 7, bytes: 2),
                    let flags = bytes.byte(at: offset + 9)
                else { return outline }
                let place = bytes.extracting(offset + 1..<offset + 9)
                outline.isCovered =
                    !isTransparent && place.bigEndian(at: 0, bytes: 4) == 0
                    && outline.size == PixelSize(width: width, height: height)
                let data = offset + 10 + colorTableLength(flags)
                guard let next = offsetAfterBlocks(bytes, from: data + 1) else {
                    // Of a file that is read in pieces the loader finds the end.
                    if bytes.count < fileLength { outline.end = .unknown }
                    return outline
                }
                outline.pieces = [.file(0..<next)]
                if outline.size?.pixels == 0 {
                    // Of a screen without extent, which the loader refuses, the frame is the size.
                    outline.size = PixelSize(width: width, height: height)
                    outline.pieces = [
                        .file(0..<6), .substitute((4..<8).map { place[$0] }),
                        .file(10..<offset + 1), .substitute([0, 0, 0, 0]),
                        .file(offset + 5..<next),
                    ]
                }
                var pixels = LZWPixelCounter(bytes, at: data)
                if pixels.reaches(width * height, in: bytes) { outline.end = .seen }
                return outline
            default:
                return outline
            }
        }
        return outline
    }

    private static func colorTableLength(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

    /// Each sub-block says its length; one of none ends them.
    private static func offsetAfterBlocks(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        var offset = start
        while let length = bytes.byte(at: offset) {
            offset += 1 + Int(length)
            if length == 0 { return offset }
        }
        return nil
    }
}
