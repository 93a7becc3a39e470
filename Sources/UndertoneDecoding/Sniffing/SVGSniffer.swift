import UndertoneColor

/// Recognises an SVG document by its first element.
///
/// What may stand before it is skipped: a byte order mark, blanks, the XML declaration and other
/// processing instructions, comments, and a document type with an internal subset.
enum SVGSniffer {
    /// The most bytes that may stand before the first element's name.
    static let prologBytes = 1 << 20

    /// Whether the bytes begin an SVG document, in UTF-8, UTF-16 or gzip around either.
    static func accepts(_ bytes: Span<UInt8>) -> Bool {
        withText(bytes) { text, start in rootOffset(text, from: start) != nil }
    }

    /// Whether the bytes may begin an SVG document whose first element comes later.
    static func mayBegin(_ bytes: Span<UInt8>) -> Bool {
        isCompressed(bytes) || isUTF16(bytes, lowByte: 0) || isUTF16(bytes, lowByte: 1)
            || bytes.byte(at: markLength(bytes)).map { $0 == UInt8(ascii: "<") || isBlank($0) }
                ?? false
    }

    private static func aspectRatio(_ bytes: Span<UInt8>) -> Double? {
        withText(bytes) { text, start in
            rootOffset(text, from: start).flatMap { SVGRoot(text, at: $0).aspectRatio }
        }
    }

    /// The shape by the first element; the rest is the loader's.
    static func outline(_ bytes: Span<UInt8>, fileLength: Int) -> PictureOutline {
        var outline = PictureOutline(length: fileLength)
        outline.aspectRatio = aspectRatio(bytes)
        return outline
    }

    /// Unpacks and narrows what stands at a document's beginning, and says where its text starts.
    private static func withText<Result>(
        _ bytes: Span<UInt8>, _ body: (Span<UInt8>, Int) -> Result
    ) -> Result {
        if isCompressed(bytes) {
            let unpacked = ZlibData.inflate(bytes, atMost: prologBytes, .gzip)
            return withPlainText(unpacked.span, body)
        }
        return withPlainText(bytes, body)
    }

    private static func withPlainText<Result>(
        _ bytes: Span<UInt8>, _ body: (Span<UInt8>, Int) -> Result
    ) -> Result {
        for lowByte in 0...1 where isUTF16(bytes, lowByte: lowByte) {
            let narrow = narrowed(bytes, lowByte: lowByte)
            return body(narrow.span, 0)
        }
        return body(bytes, markLength(bytes))
    }

    private static func isCompressed(_ bytes: Span<UInt8>) -> Bool {
        bytes.count >= 3 && bytes[0] == 0x1F && bytes[1] == 0x8B && bytes[2] == 8
    }

    /// Whether a byte order mark says so: FF FE where the low byte comes first, else FE FF.
    private static func isUTF16(_ bytes: Span<UInt8>, lowByte: Int) -> Bool {
        bytes.count >= 2 && bytes[lowByte] == 0xFF && bytes[1 - lowByte] == 0xFE
    }

    private static func markLength(_ bytes: Span<UInt8>) -> Int {
        let hasMark = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
        return hasMark ? 3 : 0
    }

    /// Only ASCII matters in the first element's tag, so the other half of each unit may go.
    private static func narrowed(_ bytes: Span<UInt8>, lowByte: Int) -> [UInt8] {
        var narrow: [UInt8] = []
        var offset = 2
        while offset + 1 < min(bytes.count, 2 * prologBytes) {
            narrow.append(bytes[offset + 1 - lowByte] == 0 ? bytes[offset + lowByte] : 0xFF)
            offset += 2
        }
        return narrow
    }

    static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// Where the name of the first element stands, if it is `svg`.
    private static func rootOffset(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        var offset = start
        while offset < prologBytes, let byte = bytes.byte(at: offset) {
            if isBlank(byte) {
                offset += 1
            } else if bytes.holds("<?", at: offset) {
                guard let end = offsetAfter("?>", bytes, from: offset + 2) else { return nil }
                offset = end
            } else if bytes.holds("<!--", at: offset) {
                guard let end = offsetAfter("-->", bytes, from: offset + 4) else { return nil }
                offset = end
            } else if bytes.holds("<!DOCTYPE", at: offset) {
                guard let end = offsetAfterDocumentType(bytes, from: offset) else { return nil }
                offset = end
            } else {
                let isRoot = byte == UInt8(ascii: "<") && isSVGName(bytes, at: offset + 1)
                return isRoot ? offset + 1 : nil
            }
        }
        return nil
    }

    private static func offsetAfter(
        _ end: StaticString, _ bytes: Span<UInt8>, from start: Int
    ) -> Int? {
        var offset = start
        while offset < min(bytes.count, prologBytes) {
            if bytes.holds(end, at: offset) { return offset + end.utf8CodeUnitCount }
            offset += 1
        }
        return nil
    }

    /// A document type ends with the first `>` outside quotes, comments and brackets.
    private static func offsetAfterDocumentType(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        var depth = 0
        var offset = start
        while offset < prologBytes, let byte = bytes.byte(at: offset) {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let end = bytes.firstOffset(of: byte, from: offset) else { return nil }
                offset = end + 1
            case UInt8(ascii: "<") where bytes.holds("!--", at: offset):
                guard let end = offsetAfter("-->", bytes, from: offset + 3) else { return nil }
                offset = end
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0: return offset
            default: break
            }
        }
        return nil
    }

    /// `svg` or `prefix:svg`, and then the end of the name.
    private static func isSVGName(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        var name = start
        for offset in start..<Swift.min(bytes.count, start + 64) {
            switch bytes[offset] {
            case UInt8(ascii: ":"):
                name = offset + 1
            case let end where isBlank(end) || end == UInt8(ascii: ">") || end == UInt8(ascii: "/"):
                return offset == name + 3 && bytes.holds("svg", at: name)
            default:
                break
            }
        }
        return false
    }
}
