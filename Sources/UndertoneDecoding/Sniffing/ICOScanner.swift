import UndertoneColor

/// Reads the directory of an icon or a cursor.
enum ICOScanner {
    private struct Entry {
        var area: Int
        var depth: Int
        var range: Range<Int>
    }

    /// The largest and deepest picture: an icon is one picture in several sizes.
    ///
    /// Where it is a whole PNG file, which gdk-pixbuf's loader refuses, that file is the picture.
    static func outline(_ bytes: Span<UInt8>, fileLength: Int) -> PictureOutline {
        var outline = PictureOutline(end: .missing, length: fileLength)
        guard let count = bytes.littleEndian(at: 4, bytes: 2) else { return outline }
        var best: Entry?
        var end = 0
        for index in 0..<count {
            guard let entry = entry(bytes, at: 6 + 16 * index) else { return outline }
            end = max(end, entry.range.upperBound)
            if let known = best, (known.area, known.depth) >= (entry.area, entry.depth) { continue }
            best = entry
        }
        outline.end = DataEnd(needed: end, fileLength: fileLength)
        if let best, best.range.upperBound <= bytes.count,
            bytes.holds("PNG\r\n\u{1A}\n", at: best.range.lowerBound + 1)
        {
            outline = PNGScanner.outline(bytes.extracting(best.range), fileLength: best.range.count)
            outline.embedded = .png
            outline.pieces = outline.pieces.map {
                best.range.lowerBound + $0.lowerBound..<best.range.lowerBound + $0.upperBound
            }
        }
        return outline
    }

    private static func entry(_ bytes: Span<UInt8>, at offset: Int) -> Entry? {
        guard let width = bytes.byte(at: offset), let height = bytes.byte(at: offset + 1),
            let length = bytes.littleEndian(at: offset + 8, bytes: 4),
            let start = bytes.littleEndian(at: offset + 12, bytes: 4)
        else { return nil }
        // A side of 0 means 256. Only the picture's own header tells the depth surely.
        let side = { (byte: UInt8) in byte == 0 ? 256 : Int(byte) }
        let depth = bytes.littleEndian(at: start + 14, bytes: 2) ?? 0
        return Entry(
            area: side(width) * side(height), depth: depth, range: start..<start + length)
    }
}
