import Glibc

/// The first tag of an SVG document, as far as it tells the document's shape (SVG 2, section 8).
struct SVGRoot {
    private var values: [String: [UInt8]] = [:]

    /// Reads the attributes of a tag whose name stands at an offset.
    init(_ bytes: Span<UInt8>, at start: Int) {
        var offset = start
        var name: [UInt8] = []
        // Blanks may stand before and behind the sign, too.
        var isNameOver = false
        while let byte = bytes.byte(at: offset), byte != UInt8(ascii: ">") {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let end = bytes.firstOffset(of: byte, from: offset) else { return }
                if name == Array("width".utf8) || name == Array("height".utf8)
                    || name == Array("viewBox".utf8), end - offset < 256
                {
                    values[String(decoding: name, as: UTF8.self)] =
                        (offset..<end).map { bytes[$0] }
                }
                offset = end + 1
                name = []
            case UInt8(ascii: "="):
                isNameOver = false
            case _ where SVGSniffer.isBlank(byte):
                isNameOver = true
            default:
                if isNameOver { name = [] }
                isNameOver = false
                if name.count < 16 { name.append(byte) }
            }
        }
    }

    /// The width as a multiple of the height: of the lengths, if they have one unit, else of the
    /// view box, if no length is given or both are relative.
    var aspectRatio: Double? {
        let width = length("width")
        let height = length("height")
        if let width, let height {
            return width.unit == height.unit ? width.value / height.value : nil
        }
        guard let box = values["viewBox"].map(Self.numbers), box.count == 4, box[2] > 0, box[3] > 0
        else { return nil }
        return box[2] / box[3]
    }

    /// A length above 0 that is not relative to what the document is drawn into.
    private func length(_ name: String) -> (value: Double, unit: [UInt8])? {
        guard let text = values[name] else { return nil }
        let trimmed = text.split(whereSeparator: SVGSniffer.isBlank).first.map(Array.init) ?? []
        guard let (value, end) = Self.number(trimmed, from: 0), value > 0 else { return nil }
        let unit = Array(trimmed[end...])
        if unit == [UInt8(ascii: "%")] { return nil }
        return (value, unit == Array("px".utf8) ? [] : unit)
    }

    /// Numbers between blanks and commas.
    private static func numbers(_ text: [UInt8]) -> [Double] {
        var found: [Double] = []
        var offset = 0
        while offset < text.count {
            if SVGSniffer.isBlank(text[offset]) || text[offset] == UInt8(ascii: ",") {
                offset += 1
            } else if let (value, end) = number(text, from: offset) {
                found.append(value)
                offset = end
            } else {
                return found
            }
        }
        return found
    }

    /// The number at an offset, and where it ends.
    private static func number(_ text: [UInt8], from start: Int) -> (value: Double, end: Int)? {
        let characters = text[start...].map(CChar.init(bitPattern:)) + [0]
        return unsafe characters.withUnsafeBufferPointer { buffer in
            var end: UnsafeMutablePointer<CChar>?
            let value = unsafe strtod(buffer.baseAddress!, &end)
            guard let last = unsafe end, value.isFinite else { return nil }
            let length = unsafe UnsafePointer(last) - buffer.baseAddress!
            return length > 0 ? (value, start + length) : nil
        }
    }
}
