package import UndertoneColor

extension ImageFormat {
    /// How many of a file's first bytes `sniff` wants to see.
    static let sniffedBytes = 64 * 1024

    /// Recognises a format by a file's first bytes, or answers `nil`.
    ///
    /// This is the allow-list too: no loader sees bytes that were not recognised here.
    package static func sniff(_ bytes: Span<UInt8>) -> ImageFormat? {
        if bytes.byte(at: 0) == 0x89, bytes.holds("PNG\r\n\u{1A}\n", at: 1) { return .png }
        if bytes.count >= 3, bytes[0] == 0xFF, bytes[1] == 0xD8, bytes[2] == 0xFF { return .jpeg }
        if bytes.holds("GIF87a") || bytes.holds("GIF89a") { return .gif }
        if bytes.holds("RIFF"), bytes.holds("WEBP", at: 8) { return .webp }
        if isTIFF(bytes) { return .tiff }
        if bytes.holds("BM"), isBMP(bytes) { return .bmp }
        if isIcon(bytes) { return .ico }
        if isPNM(bytes) { return .pnm }
        if let format = sniffISOMedia(bytes) { return format }
        return SVGSniffer.accepts(bytes) ? .svg : nil
    }

    /// TIFF, or BigTIFF with offsets of eight bytes.
    private static func isTIFF(_ bytes: Span<UInt8>) -> Bool {
        bytes.holds("II*\0") || bytes.holds("MM\0*") || bytes.holds("II+\0\u{8}\0\0\0")
            || bytes.holds("MM\0+\0\u{8}\0\0")
    }

    /// `BM` alone begins many a text; a bitmap's second header has one of few lengths.
    private static func isBMP(_ bytes: Span<UInt8>) -> Bool {
        guard let length = bytes.littleEndian(at: 14, bytes: 4) else { return false }
        return [12, 16, 40, 52, 56, 64, 108, 124].contains(length)
    }

    /// An icon or a cursor: a directory of at least one entry that points behind the directory.
    private static func isIcon(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.holds("\0\0\u{1}\0") || bytes.holds("\0\0\u{2}\0"),
            let entries = bytes.littleEndian(at: 4, bytes: 2), entries > 0,
            let offset = bytes.littleEndian(at: 18, bytes: 4)
        else { return false }
        return offset >= 6 + 16 * entries
    }

    /// P1 to P6, then white space or a comment.
    private static func isPNM(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 3, bytes[0] == UInt8(ascii: "P"),
            (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(bytes[1])
        else { return false }
        return bytes[2] == UInt8(ascii: "#") || PNMScanner.isBlank(bytes[2])
    }

    /// AVIF and HEIC by their brands: the major one, else the compatible ones in their order.
    private static func sniffISOMedia(_ bytes: Span<UInt8>) -> ImageFormat? {
        guard bytes.holds("ftyp", at: 4), let length = bytes.bigEndian(at: 0, bytes: 4),
            length >= 16
        else { return nil }
        var offset = 8
        while offset + 4 <= Swift.min(length, bytes.count, 4096) {
            // Bytes 12 to 15 are the minor version.
            if offset != 12 {
                if bytes.holds("avif", at: offset) || bytes.holds("avis", at: offset) {
                    return .avif
                }
                if isHEVCBrand(bytes, at: offset) { return .heic }
            }
            offset += 4
        }
        // An image of no stated coding: libheif has the wider choice of decoders.
        let isImage = bytes.holds("mif1", at: 8) || bytes.holds("msf1", at: 8)
        return isImage ? .heic : nil
    }

    private static func isHEVCBrand(_ bytes: Span<UInt8>, at offset: Int) -> Bool {
        bytes.holds("heic", at: offset) || bytes.holds("heix", at: offset)
            || bytes.holds("heim", at: offset) || bytes.holds("heis", at: offset)
            || bytes.holds("hevc", at: offset) || bytes.holds("hevx", at: offset)
            || bytes.holds("hevm", at: offset) || bytes.holds("hevs", at: offset)
    }
}
