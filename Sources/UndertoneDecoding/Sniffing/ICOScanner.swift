import UndertoneColor

/// Reads the directory of an icon or a cursor.
enum ICOScanner {
    private struct Entry {
        var area: Int
        /// The bits of a pixel, where the picture's header is in the file.
        var depth: Int?
        /// The sixteen bytes of the directory that describe it.
        var description: [UInt8]
        var range: Range<Int>

        /// What is better has more. What is not in the file may be the best there was: an icon that
        /// is cut is not whole because a lesser picture is.
        var rank: (area: Int, depth: Int) { (area, depth ?? .max) }
    }

    /// The largest and, of several as large, the deepest picture: an icon is one picture in several
    /// sizes.
    ///
    /// gdk-pixbuf's loader takes any of the largest, so it is shown an icon of this one only. Where
    /// it is a whole PNG file, which that loader refuses, that file is the picture.
    static func outline(_ bytes: Span<UInt8>, fileLength: Int) -> PictureOutline {
        var outline = PictureOutline(end: .missing, length: fileLength)
        guard let count = bytes.littleEndian(at: 4, bytes: 2) else { return outline }
        var best: Entry?
        for index in 0..<count {
            guard let entry = entry(bytes, at: 6 + 16 * index) else { return outline }
            if let known = best, known.rank >= entry.rank { continue }
            best = entry
        }
        guard let best, best.depth != nil, best.range.upperBound <= bytes.count else {
            return outline
        }
        if isPNG(bytes, at: best.range.lowerBound) {
            outline = PNGScanner.outline(bytes.extracting(best.range), fileLength: best.range.count)
            outline.orientation = nil
            outline.embedded = .png
            outline.pieces = [.file(best.range)]
        } else {
            outline.end = .seen
            let directory =
                [0, 0, bytes[2], 0, 1, 0] + best.description.dropLast(4) + [22, 0, 0, 0]
            outline.pieces = [.substitute(directory), .file(best.range)]
            if let picture = widenBits(bytes.extracting(best.range)) {
                outline.pieces = [.substitute(directory + picture)]
            }
        }
        return outline
    }

    private static func entry(_ bytes: Span<UInt8>, at offset: Int) -> Entry? {
        guard bytes.count >= offset + 16,
            let length = bytes.littleEndian(at: offset + 8, bytes: 4),
            let start = bytes.littleEndian(at: offset + 12, bytes: 4)
        else { return nil }
        // A side of 0 means 256. The depth that the directory tells is often 0.
        let side = { (byte: UInt8) in byte == 0 ? 256 : Int(byte) }
        let depth = isPNG(bytes, at: start) ? 32 : bytes.littleEndian(at: start + 14, bytes: 2)
        return Entry(
            area: side(bytes[offset]) * side(bytes[offset + 1]), depth: depth,
            description: (offset..<offset + 16).map { bytes[$0] }, range: start..<start + length)
    }

    /// A picture of one bit a pixel, whose two colors the loader takes for black and white, with
    /// eight bits a pixel instead; `nil` if it is of another kind, or cut.
    private static func widenBits(_ picture: Span<UInt8>) -> [UInt8]? {
        guard picture.littleEndian(at: 0, bytes: 4) == 40,
            let width = picture.littleEndian(at: 4, bytes: 4), (1...256).contains(width),
            // Those of the mask are counted too.
            let rows = picture.littleEndian(at: 8, bytes: 4), (2...512).contains(rows),
            picture.littleEndian(at: 14, bytes: 2) == 1,
            picture.littleEndian(at: 16, bytes: 4) == 0
        else { return nil }
        let colors = 40..<48
        let stride = (width + 31) / 32 * 4
        let pixels = colors.upperBound..<colors.upperBound + rows / 2 * stride
        guard picture.count >= pixels.upperBound else { return nil }
        var wide = (0..<40).map { picture[$0] }
        wide[14] = 8
        // All 256 colors are there, and none is said to be the number that matters.
        for index in 20..<24 { wide[index] = 0 }
        for index in 32..<40 { wide[index] = 0 }
        wide += colors.map { picture[$0] } + [UInt8](repeating: 0, count: 4 * 254)
        for row in 0..<rows / 2 {
            let start = pixels.lowerBound + row * stride
            for column in 0..<(width + 3) / 4 * 4 {
                let byte = column < width ? picture[start + column / 8] : 0
                wide.append(byte >> UInt8(7 - column % 8) & 1)
            }
        }
        for offset in pixels.upperBound..<picture.count { wide.append(picture[offset]) }
        return wide
    }

    private static func isPNG(_ bytes: Span<UInt8>, at offset: Int) -> Bool {
        bytes.holds("PNG\r\n\u{1A}\n", at: offset + 1)
    }
}
