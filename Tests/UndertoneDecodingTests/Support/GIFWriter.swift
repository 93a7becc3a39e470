/// Writes GIF files whose codes are never longer than nine bits.
struct GIFWriter {
    /// A frame: its place, its size and its color indices.
    struct Frame {
        var left = 0
        var top = 0
        var width, height: Int
        var indices: [UInt8]
    }

    var width, height: Int
    /// Up to 256 colors.
    var palette: [[UInt8]]
    var frames: [Frame]

    /// The whole file.
    func bytes() -> [UInt8] {
        var file = Array("GIF89a".utf8) + .little(width, 2) + .little(height, 2) + [0xF7, 0, 0]
        file += palette.flatMap { $0 }
        file += [UInt8](repeating: 0, count: 3 * (256 - palette.count))
        for frame in frames {
            file += [0x2C] + .little(frame.left, 2) + .little(frame.top, 2)
            file += .little(frame.width, 2) + .little(frame.height, 2) + [0, 8]
            file += Self.blocks(Self.codes(frame.indices))
        }
        return file + [0x3B]
    }

    /// Codes of nine bits: the table is cleared before it needs ten.
    static func codes(_ indices: [UInt8], endsWithMark: Bool = true) -> [UInt8] {
        var bits = 0
        var count = 0
        var data: [UInt8] = []
        func put(_ code: Int) {
            bits |= code << count
            count += 9
            while count >= 8 {
                data.append(UInt8(bits & 255))
                bits >>= 8
                count -= 8
            }
        }
        for (place, index) in indices.enumerated() {
            if place % 250 == 0 { put(256) }
            put(Int(index))
        }
        if endsWithMark { put(257) }
        if count > 0 { data.append(UInt8(bits & 255)) }
        return data
    }

    /// Data in sub-blocks.
    static func blocks(_ data: [UInt8]) -> [UInt8] {
        var blocks: [UInt8] = []
        var start = 0
        while start < data.count {
            let length = min(255, data.count - start)
            blocks += [UInt8(length)] + data[start..<start + length]
            start += length
        }
        return blocks + [0]
    }
}
