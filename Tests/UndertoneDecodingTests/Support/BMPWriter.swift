/// Writes bitmaps.
enum BMPWriter {
    /// A bitmap of rows that are packed and padded already, in the file's order.
    ///
    /// `masks` are those of red, green, blue and alpha in a BITMAPV4HEADER.
    static func bytes(
        width: Int, height: Int, bits: Int, compression: Int = 0, masks: [Int]? = nil,
        palette: [[UInt8]] = [], data: [UInt8]
    ) -> [UInt8] {
        let headerLength = masks == nil ? 40 : 108
        var header: [UInt8] = .little(headerLength, 4) + .little(width, 4) + .little(height, 4)
        header += .little(1, 2) + .little(bits, 2) + .little(compression, 4)
        header += .little(data.count, 4) + .little(2835, 4) + .little(2835, 4)
        header += .little(palette.count, 4) + .little(0, 4)
        if let masks {
            header += masks.flatMap { [UInt8].little($0, 4) }
            header += Array("BGRs".utf8) + [UInt8](repeating: 0, count: 48)
        }
        // Blue, green, red, nothing.
        header += palette.flatMap { [$0[2], $0[1], $0[0], 0] }
        let start = 14 + header.count
        return Array("BM".utf8) + .little(start + data.count, 4) + .little(0, 4)
            + .little(start, 4) + header + data
    }

    /// Rows of 24-bit pixels, from the bottom up or from the top down.
    static func rgb(
        width: Int, height: Int, isTopDown: Bool = false, pixel: (Int, Int) -> [UInt8]
    ) -> [UInt8] {
        let rows = (0..<height).map { y -> [UInt8] in
            let row = (0..<width).flatMap { x in pixel(x, y).reversed() }
            return row + [UInt8](repeating: 0, count: (4 - row.count % 4) % 4)
        }
        return bytes(
            width: width, height: isTopDown ? -height : height, bits: 24,
            data: (isTopDown ? rows : rows.reversed()).flatMap { $0 })
    }

    /// An icon or, of kind 2, a cursor, of pictures with their sizes.
    static func icon(
        _ entries: [(width: Int, height: Int, data: [UInt8])], kind: Int = 1
    ) -> [UInt8] {
        var directory: [UInt8] = .little(0, 2) + .little(kind, 2) + .little(entries.count, 2)
        var start = 6 + 16 * entries.count
        for entry in entries {
            directory += [UInt8(entry.width % 256), UInt8(entry.height % 256), 0, 0]
            directory += .little(1, 2) + .little(0, 2) + .little(entry.data.count, 4)
            directory += .little(start, 4)
            start += entry.data.count
        }
        return directory + entries.flatMap { $0.data }
    }

    /// An icon's picture: a header of double height, rows from the bottom up, and a mask of one
    /// bit, set where nothing is seen. `pixel` gives red, green, blue and, of 32 bits, alpha.
    static func iconPicture(
        width: Int, height: Int, bits: Int, mask: (Int, Int) -> Bool = { _, _ in false },
        pixel: (Int, Int) -> [UInt8]
    ) -> [UInt8] {
        var data: [UInt8] = []
        for y in (0..<height).reversed() {
            var row: [UInt8] = []
            for x in 0..<width {
                let color = pixel(x, y)
                row += [color[2], color[1], color[0]] + (bits == 32 ? [color[3]] : [])
            }
            data += row + [UInt8](repeating: 0, count: (4 - row.count % 4) % 4)
        }
        for y in (0..<height).reversed() {
            var row = [UInt8](repeating: 0, count: (width + 31) / 32 * 4)
            for x in 0..<width where mask(x, y) { row[x / 8] |= 0x80 >> UInt8(x % 8) }
            data += row
        }
        return .little(40, 4) + .little(width, 4) + .little(2 * height, 4) + .little(1, 2)
            + .little(bits, 2) + .little(0, 4) + .little(data.count, 4)
            + [UInt8](repeating: 0, count: 16) + data
    }
}
