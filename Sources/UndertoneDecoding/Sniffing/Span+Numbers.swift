import Glibc

/// Numbers in a picture's header, `nil` where the bytes end too early.
extension Span<UInt8> {
    /// The byte at an offset.
    func byte(at offset: Int) -> UInt8? {
        offset >= 0 && offset < count ? self[offset] : nil
    }

    /// An unsigned number of up to eight bytes, most significant first.
    func bigEndian(at offset: Int, bytes length: Int) -> Int? {
        guard offset >= 0, count - offset >= length else { return nil }
        var value: UInt64 = 0
        for index in offset..<offset + length { value = value << 8 | UInt64(self[index]) }
        return Int(exactly: value)
    }

    /// An unsigned number of up to eight bytes, least significant first.
    func littleEndian(at offset: Int, bytes length: Int) -> Int? {
        guard offset >= 0, count - offset >= length else { return nil }
        var value: UInt64 = 0
        for index in (offset..<offset + length).reversed() {
            value = value << 8 | UInt64(self[index])
        }
        return Int(exactly: value)
    }

    /// Whether certain bytes stand at an offset.
    func holds(_ bytes: StaticString, at offset: Int = 0) -> Bool {
        let length = bytes.utf8CodeUnitCount
        guard offset >= 0, count - offset >= length else { return false }
        for index in 0..<length where unsafe self[offset + index] != bytes.utf8Start[index] {
            return false
        }
        return true
    }

    /// The offset of the next byte of a value at or after another offset.
    func firstOffset(of value: UInt8, from offset: Int) -> Int? {
        guard offset >= 0, offset < count else { return nil }
        return unsafe withUnsafeBufferPointer { buffer -> Int? in
            guard let start = buffer.baseAddress,
                let found = unsafe memchr(start + offset, Int32(value), buffer.count - offset)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(start)
        }
    }
}
