/// The first image file directory of a TIFF file (TIFF 6.0, section 2) or of a BigTIFF file, whose
/// numbers are wider.
struct TIFFDirectory {
    private let isLittleEndian: Bool
    /// The bytes of an offset or a count: 4, in BigTIFF 8.
    private let width: Int
    private var start = 0
    private var entries = 0

    /// Finds the first directory, or answers `nil` where there is none.
    init?(firstOf bytes: Span<UInt8>) {
        isLittleEndian = bytes.holds("II")
        guard isLittleEndian || bytes.holds("MM"), bytes.count > 8 else { return nil }
        let version = bytes[isLittleEndian ? 2 : 3]
        guard version == 42 || version == 43 else { return nil }
        width = version == 42 ? 4 : 8
        guard let offset = number(at: width, bytes: width, in: bytes), offset <= bytes.count,
            let count = number(at: offset, bytes: width == 4 ? 2 : 8, in: bytes)
        else { return nil }
        start = offset + (width == 4 ? 2 : 8)
        // Tags are of 16 bits, and each comes once.
        entries = min(count, 65_536)
    }

    /// The first value of a tag of type BYTE, SHORT, LONG or LONG8.
    func number(_ tag: Int, in bytes: Span<UInt8>) -> Int? {
        numbers(tag, atMost: 1, in: bytes)?.first
    }

    /// The values of a tag of type BYTE, SHORT, LONG or LONG8, no more than were asked for; `nil`
    /// where the tag is missing, of another type, or points out of the file.
    func numbers(_ tag: Int, atMost limit: Int, in bytes: Span<UInt8>) -> [Int]? {
        // A tag, a type, a count, and a value or its place.
        let length = 4 + 2 * width
        for index in 0..<entries {
            let entry = start + length * index
            guard let found = number(at: entry, bytes: 2, in: bytes) else { return nil }
            if found == tag { return values(ofEntryAt: entry, atMost: limit, in: bytes) }
        }
        return nil
    }

    private func values(
        ofEntryAt entry: Int, atMost limit: Int, in bytes: Span<UInt8>
    ) -> [Int]? {
        guard let type = number(at: entry + 2, bytes: 2, in: bytes),
            let length = [1: 1, 3: 2, 4: 4, 16: 8][type],
            let count = number(at: entry + 4, bytes: width, in: bytes), count <= bytes.count
        else { return nil }
        var position = entry + 4 + width
        if count * length > width {
            guard let elsewhere = number(at: position, bytes: width, in: bytes),
                elsewhere <= bytes.count
            else { return nil }
            position = elsewhere
        }
        var values: [Int] = []
        for index in 0..<min(count, limit) {
            guard let value = number(at: position + index * length, bytes: length, in: bytes)
            else { return nil }
            values.append(value)
        }
        return values
    }

    private func number(at offset: Int, bytes length: Int, in bytes: Span<UInt8>) -> Int? {
        isLittleEndian
            ? bytes.littleEndian(at: offset, bytes: length)
            : bytes.bigEndian(at: offset, bytes: length)
    }
}
