import CZlib

/// Bytes in zlib's format (RFC 1950), made small quickly.
enum Zlib {
    /// Compresses bytes.
    static func deflate(_ bytes: [UInt8]) -> [UInt8] {
        let room = compressBound(UInt(bytes.count))
        return unsafe Array(unsafeUninitializedCapacity: Int(room)) { buffer, count in
            var written = room
            let code = unsafe compress2(
                buffer.baseAddress, &written, bytes, UInt(bytes.count), Z_BEST_SPEED)
            precondition(code == Z_OK, "no room to compress \(bytes.count) bytes")
            count = Int(written)
        }
    }

    /// Restores bytes; nil unless they are as many as told, and undamaged.
    static func inflate(_ bytes: [UInt8], count expected: Int) -> [UInt8]? {
        var isWhole = false
        let result = unsafe [UInt8](unsafeUninitializedCapacity: expected) { buffer, count in
            var written = UInt(expected)
            let code = unsafe uncompress(
                buffer.baseAddress, &written, bytes, UInt(bytes.count))
            isWhole = code == Z_OK && written == expected
            count = Int(written)
        }
        return isWhole ? result : nil
    }

    /// The CRC-32 of several pieces, one behind the other.
    static func checksum(_ pieces: [[UInt8]]) -> UInt32 {
        let sum = pieces.reduce(CZlib.crc32(0, nil, 0)) { sum, piece in
            unsafe CZlib.crc32(sum, piece, UInt32(piece.count))
        }
        return UInt32(sum)
    }
}
