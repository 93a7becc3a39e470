import UndertoneColor

/// Recognises an SVG document by its first element.
///
/// What may stand before it is skipped: a byte order mark, blanks, the XML declaration and other
/// processing instructions, comments, and a document type with an internal subset.
enum SVGSniffer {
    /// Whether the bytes begin an SVG document, in UTF-8, UTF-16 or gzip around either.
    static func accepts(_ bytes: Span<UInt8>) -> Bool {
        if bytes.count >= 3, bytes[0] == 0x1F, bytes[1] == 0x8B, bytes[2] == 8 {
            return acceptsText(GzipPrefix.inflate(bytes, atMost: ImageFormat.sniffedBytes).span)
        }
        return acceptsText(bytes)
    }

    private static func acceptsText(_ bytes: Span<UInt8>) -> Bool {
        if bytes.count >= 2, bytes[0] == 0xFF, bytes[1] == 0xFE {
            return acceptsUTF16(bytes, lowByte: 0)
        }
        if bytes.count >= 2, bytes[0] == 0xFE, bytes[1] == 0xFF {
            return acceptsUTF16(bytes, lowByte: 1)
        }
        let hasMark = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
        return rootIsSVG(bytes, from: hasMark ? 3 : 0)
    }

    /// Only ASCII matters up to the first element's name, so the other half of each unit may go.
    private static func acceptsUTF16(_ bytes: Span<UInt8>, lowByte: Int) -> Bool {
        var narrow: [UInt8] = []
        var offset = 2
        while offset + 1 < bytes.count {
            narrow.append(bytes[offset + 1 - lowByte] == 0 ? bytes[offset + lowByte] : 0xFF)
            offset += 2
        }
        return rootIsSVG(narrow.span, from: 0)
    }

    private static func rootIsSVG(_ bytes: Span<UInt8>, from start: Int) -> Bool {
        var offset = start
        while let byte = bytes.byte(at: offset) {
            if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
                offset += 1
            } else if bytes.holds("<?", at: offset) {
                guard let end = offsetAfter("?>", bytes, from: offset + 2) else { return false }
                offset = end
            } else if bytes.holds("<!--", at: offset) {
                guard let end = offsetAfter("-->", bytes, from: offset + 4) else { return false }
                offset = end
            } else if bytes.holds("<!DOCTYPE", at: offset) {
                guard let end = offsetAfterDocumentType(bytes, from: offset) else { return false }
                offset = end
            } else {
                return byte == UInt8(ascii: "<") && isSVGName(bytes, at: offset + 1)
            }
        }
        return false
    }

    private static func offsetAfter(
        _ end: StaticString, _ bytes: Span<UInt8>, from start: Int
    ) -> Int? {
        var offset = start
        while offset < bytes.count {
            if bytes.holds(end, at: offset) { return offset + end.utf8CodeUnitCount }
            offset += 1
        }
        return nil
    }

    /// A document type ends with the first `>` outside quotes, comments and brackets.
    private static func offsetAfterDocumentType(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        var depth = 0
        var offset = start
        while let byte = bytes.byte(at: offset) {
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
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ">"), UInt8(ascii: "/"):
                return offset == name + 3 && bytes.holds("svg", at: name)
            default:
                break
            }
        }
        return false
    }
}
