import UndertoneProtocol

/// What a thumbnail says of its picture, by its chunks of text (PNG specification, section 11.3.3).
struct ThumbnailKeys: Equatable {
    /// The picture's URI.
    private(set) var uri: [UInt8]?
    /// When the picture was last changed, in seconds since the epoch, in decimal.
    private var modified: [UInt8]?
    /// The bytes of its file, in decimal.
    private(set) var size: [UInt8]?
    /// The picture's sides in pixels, in decimal.
    private var width, height: [UInt8]?

    /// Bytes of a value: a path of the longest kind, every byte of it escaped, and `file://`.
    private static let valueBytes = 3 * Limits.pathBytes + 7

    /// Reads the keys of a PNG; those that are not there stay nil, and the first of each counts.
    init(_ bytes: Span<UInt8>) {
        var offset = 8
        while let length = bytes.bigEndian(at: offset, bytes: 4), bytes.count - offset >= 12,
            length <= bytes.count - offset - 12
        {
            let content = bytes.extracting(offset + 8..<offset + 8 + length)
            if bytes.holds("tEXt", at: offset + 4) {
                read(content, isCompressed: false)
            } else if bytes.holds("zTXt", at: offset + 4) {
                // Qt writes long values so.
                read(content, isCompressed: true)
            }
            offset += 12 + length
        }
    }

    /// The whole seconds of when the picture was last changed: tumbler tells millionths, too.
    var modifiedSeconds: [UInt8]? {
        guard let modified, let point = modified.firstIndex(of: UInt8(ascii: ".")) else {
            return modified
        }
        let fraction = modified[(point + 1)...]
        return fraction.allSatisfy(Self.isDigit) ? Array(modified[..<point]) : nil
    }

    /// The picture's size, where it is told.
    var pictureSize: PixelSize? {
        guard let width = Self.number(width), let height = Self.number(height) else { return nil }
        return PixelSize(width: width, height: height)
    }

    private mutating func read(_ content: Span<UInt8>, isCompressed: Bool) {
        guard let key = Self.key(of: content), self[keyPath: key.path] == nil else { return }
        let value = content.extracting(droppingFirst: key.name.utf8CodeUnitCount + 1)
        if !isCompressed {
            guard value.count <= Self.valueBytes else { return }
            self[keyPath: key.path] = value.indices.map { value[$0] }
        } else if value.byte(at: 0) == 0 {
            self[keyPath: key.path] = ZlibData.inflate(
                value.extracting(droppingFirst: 1), atMost: Self.valueBytes, .zlib)
        }
    }

    private typealias Key = (name: StaticString, path: WritableKeyPath<ThumbnailKeys, [UInt8]?>)

    private static func key(of content: Span<UInt8>) -> Key? {
        let keys: [Key] = [
            ("Thumb::URI", \.uri), ("Thumb::MTime", \.modified), ("Thumb::Size", \.size),
            ("Thumb::Image::Width", \.width), ("Thumb::Image::Height", \.height),
        ]
        for key in keys
        where content.holds(key.name) && content.byte(at: key.name.utf8CodeUnitCount) == 0 {
            return key
        }
        return nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func number(_ text: [UInt8]?) -> Int? {
        guard let text, (1...10).contains(text.count) else { return nil }
        var value = 0
        for digit in text {
            guard isDigit(digit) else { return nil }
            value = 10 * value + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }
}
