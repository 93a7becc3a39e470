/// The first image file directory of a TIFF file (TIFF 6.0, section 2).
struct TIFFDirectory {
    private var isLittleEndian: Bool
    private var offset: Int
    private var entries: Int

    /// Finds the first directory, or answers `nil` where there is none.
    init?(firstOf bytes: Span<UInt8>) {
        isLittleEndian = bytes.holds("II*\0")
        guard isLittleEndian || bytes.holds("MM\0*") else { return nil }
        offset = 0
        entries = 0
        guard let start = number(at: 4, bytes: 4, in: bytes),
            let count = number(at: start, bytes: 2, in: bytes)
        else { return nil }
        offset = start + 2
        entries = count
    }

    /// The first value of a tag of type BYTE, SHORT or LONG.
    func number(_ tag: Int, in bytes: Span<UInt8>) -> Int? {
        numbers(tag, atMost: 1, in: bytes)?.first
    }

    /// The values of a tag of type BYTE, SHORT or LONG, no more than were asked for; `nil` where
    /// the tag is missing, of another type, or points out of the file.
    func numbers(_ tag: Int, atMost limit: Int, in bytes: Span<UInt8>) -> [Int]? {
        for index in 0..<entries {
            let entry = offset + 12 * index
            guard let found = number(at: entry, bytes: 2, in: bytes) else { return nil }
            if found == tag { return values(ofEntryAt: entry, atMost: limit, in: bytes) }
        }
        return nil
    }

    private func values(
        ofEntryAt entry: Int, atMost limit: Int, in bytes: Span<UInt8>
    ) -> [Int]? {
        guard let type = number(at: entry + 2, bytes: 2, in: bytes),
            let count = number(at: entry + 4, bytes: 4, in: bytes)
        else { return nil }
        let length: Int
        switch type {
        case 1: length = 1
        case 3: length = 2
        case 4: length = 4
        default: return nil
        }
        var position = entry + 8
        if count * length > 4 {
            guard let elsewhere = number(at: position, bytes: 4, in: bytes) else { return nil }
            position = elsewhere
        }
        var values: [Int] = []
        for index in 0..<Swift.min(count, limit) {
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
