/// Reads the header of a Netpbm picture, P1 to P6.
enum PNMScanner {
    /// Whether a byte is one of Netpbm's blanks.
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    /// The size by the header, and the end by the length of binary pixels. The ends of plain ones,
    /// numbers of any length, only the loader finds.
    static func outline(_ bytes: Span<UInt8>, fileLength: Int) -> PictureOutline {
        var outline = PictureOutline(end: .missing, length: fileLength)
        guard let kind = bytes.byte(at: 1) else { return outline }
        var offset = 2
        guard let width = number(bytes, &offset), let height = number(bytes, &offset) else {
            return outline
        }
        outline.size = PixelSize(width: width, height: height)
        let isBitmap = kind == UInt8(ascii: "1") || kind == UInt8(ascii: "4")
        guard let maximum = isBitmap ? 1 : number(bytes, &offset) else { return outline }
        let rowBytes: Int
        switch kind {
        case UInt8(ascii: "4"): rowBytes = (width + 7) / 8
        case UInt8(ascii: "5"): rowBytes = width * (maximum > 255 ? 2 : 1)
        case UInt8(ascii: "6"): rowBytes = width * (maximum > 255 ? 6 : 3)
        default:
            outline.end = .unknown
            return outline
        }
        let (data, overflows) = rowBytes.multipliedReportingOverflow(by: height)
        // One blank stands between the header and the pixels.
        outline.end = DataEnd(needed: overflows ? nil : offset + 1 + data, fileLength: fileLength)
        if outline.end == .seen { outline.pieces = [.file(0..<offset + 1 + data)] }
        return outline
    }

    /// The next number of at most nine digits, behind blanks and comments.
    private static func number(_ bytes: Span<UInt8>, _ offset: inout Int) -> Int? {
        while let byte = bytes.byte(at: offset) {
            if byte == UInt8(ascii: "#") {
                guard let end = bytes.firstOffset(of: 0x0A, from: offset) else { return nil }
                offset = end
            } else if !isBlank(byte) {
                break
            }
            offset += 1
        }
        var value = 0
        let start = offset
        while let byte = bytes.byte(at: offset), (0x30...0x39).contains(byte) {
            value = value * 10 + Int(byte - 0x30)
            offset += 1
            if offset - start > 9 { return nil }
        }
        return offset > start ? value : nil
    }
}
