/// Walks a PNG's chunks (PNG specification, section 5.3).
enum PNGScanner {
    /// The size by IHDR, the orientation by eXIf, a color space by cICP, and the end by IEND.
    static func outline(_ bytes: Span<UInt8>, fileLength: Int) -> PictureOutline {
        var outline = PictureOutline(end: .missing, length: fileLength)
        guard bytes.holds("IHDR", at: 12),
            let width = bytes.bigEndian(at: 16, bytes: 4),
            let height = bytes.bigEndian(at: 20, bytes: 4)
        else { return outline }
        outline.size = PixelSize(width: width, height: height)

        var offset = 8
        while let length = bytes.bigEndian(at: offset, bytes: 4), bytes.count - offset >= 12 {
            // Length, type and checksum take twelve bytes.
            let next = offset + 12 + length
            if next > bytes.count {
                // Of a file that is read in pieces the loader finds the end.
                if bytes.count < fileLength { outline.end = .unknown }
                break
            }
            if bytes.holds("eXIf", at: offset + 4) {
                outline.orientation = EXIFOrientation.read(
                    bytes.extracting(offset + 8..<offset + 8 + length))
            } else if bytes.holds("cICP", at: offset + 4), length == 4 {
                outline.profile = .coded(
                    CodedColorSpace(
                        primaries: Int(bytes[offset + 8]), transfer: Int(bytes[offset + 9])))
            } else if bytes.holds("IEND", at: offset + 4) {
                outline.end = .seen
                outline.pieces = [.file(0..<next)]
                break
            }
            offset = next
        }
        return outline
    }
}
