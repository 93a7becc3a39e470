/// Writes PNG files whose every byte the test knows: stored, not compressed.
struct PNGWriter {
    /// The IHDR color type.
    enum ColorType: UInt8 {
        case gray = 0, rgb = 2, palette = 3, grayAlpha = 4, rgba = 6
    }

    var width, height: Int
    var colorType: ColorType
    var bitDepth: UInt8 = 8
    /// The samples as they stand in the file, without filter bytes.
    var rows: [[UInt8]]
    /// Chunks between IHDR and IDAT.
    var chunks: [(type: String, data: [UInt8])] = []

    /// A picture of eight-bit RGB or RGBA pixels.
    init(width: Int, height: Int, colorType: ColorType = .rgb, pixel: (Int, Int) -> [UInt8]) {
        self.width = width
        self.height = height
        self.colorType = colorType
        rows = (0..<height).map { y in (0..<width).flatMap { x in pixel(x, y) } }
    }

    /// A picture of rows that are packed already.
    init(width: Int, height: Int, colorType: ColorType, bitDepth: UInt8, rows: [[UInt8]]) {
        self.width = width
        self.height = height
        self.colorType = colorType
        self.bitDepth = bitDepth
        self.rows = rows
    }

    /// The whole file.
    func bytes() -> [UInt8] {
        file(interlace: 0, data: rows.flatMap { [0] + $0 })
    }

    /// The whole file, of eight-bit samples interlaced by Adam7 (section 8.2).
    ///
    /// Some of the data may be left out, as if there had never been more.
    func interlacedBytes(withoutLast left: Int = 0) -> [UInt8] {
        let samples = (rows.first?.count ?? 0) / width
        var data: [UInt8] = []
        for (left, top, across, down) in [
            (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
            (0, 1, 1, 2),
        ] {
            for y in stride(from: top, to: height, by: down) {
                data.append(0)
                for x in stride(from: left, to: width, by: across) {
                    data += rows[y][x * samples..<(x + 1) * samples]
                }
            }
        }
        return file(interlace: 1, data: Array(data.dropLast(left)))
    }

    private func file(interlace: UInt8, data: [UInt8]) -> [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let header =
            Self.bigEndian(UInt32(width)) + Self.bigEndian(UInt32(height))
            + [bitDepth, colorType.rawValue, 0, 0, interlace]
        file += Self.chunk("IHDR", header)
        for chunk in chunks { file += Self.chunk(chunk.type, chunk.data) }
        file += Self.chunk("IDAT", Self.zlibStored(data))
        return file + Self.chunk("IEND", [])
    }

    /// A chunk with its length and checksum.
    static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return bigEndian(UInt32(data.count)) + body + bigEndian(crc32(body))
    }

    /// Four bytes, most significant first.
    static func bigEndian(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
    }

    /// A zlib stream of stored blocks (RFC 1950, RFC 1951).
    static func zlibStored(_ data: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var offset = 0
        repeat {
            let length = min(data.count - offset, 65_535)
            let isLast: UInt8 = offset + length == data.count ? 1 : 0
            let low = UInt8(length & 255)
            let high = UInt8(length >> 8)
            stream += [isLast, low, high, ~low, ~high] + data[offset..<offset + length]
            offset += length
        } while offset < data.count
        var a: UInt32 = 1
        var b: UInt32 = 0
        for byte in data {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return stream + bigEndian(b << 16 | a)
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }
}
