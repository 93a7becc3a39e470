/// Numbers as a picture's header holds them.
extension [UInt8] {
    /// A number of so many bytes, least significant first.
    static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// A number of so many bytes, most significant first.
    static func big(_ value: Int, _ count: Int) -> [UInt8] {
        little(value, count).reversed()
    }

    /// A picture that is cut to a part of its length.
    func cut(_ part: Double) -> [UInt8] { Array(prefix(Int(Double(count) * part))) }

    /// The offset of certain bytes.
    func offset(of bytes: String) -> Int? {
        let wanted = [UInt8](bytes.utf8)
        return indices.first { self[$0...].starts(with: wanted) }
    }
}

/// Pictures of four quarters, to tell which way up they are: the color of each pixel, as displayed.
enum Quarters {
    static let topLeft: [UInt8] = [240, 200, 20]
    static let topRight: [UInt8] = [210, 40, 40]
    static let bottomLeft: [UInt8] = [40, 40, 210]
    static let bottomRight: [UInt8] = [30, 160, 60]

    /// The color at a place of a picture of a size.
    static func color(_ x: Int, _ y: Int, width: Int, height: Int) -> [UInt8] {
        switch (x * 2 < width, y * 2 < height) {
        case (true, true): topLeft
        case (false, true): topRight
        case (true, false): bottomLeft
        case (false, false): bottomRight
        }
    }

    /// Where the pixel that is displayed at a place is stored, by the words of the EXIF standard on
    /// the tag: which sides the first stored row and column are displayed at.
    static func stored(
        _ x: Int, _ y: Int, width: Int, height: Int, orientation: Int
    ) -> (x: Int, y: Int) {
        let fromRight = width - 1 - x
        let fromBottom = height - 1 - y
        return switch orientation {
        case 2: (fromRight, y)  // row 0 top, column 0 right
        case 3: (fromRight, fromBottom)  // bottom, right
        case 4: (x, fromBottom)  // bottom, left
        case 5: (y, x)  // left, top
        case 6: (y, fromRight)  // right, top
        case 7: (fromBottom, fromRight)  // right, bottom
        case 8: (fromBottom, x)  // left, bottom
        default: (x, y)
        }
    }

    /// The stored rows of a picture that is displayed as the four quarters.
    static func rows(
        width: Int, height: Int, orientation: Int, alpha: UInt8? = nil,
        pixel: ((Int, Int) -> [UInt8])? = nil
    ) -> [[[UInt8]]] {
        let isTurned = orientation >= 5
        let blank = [[UInt8]](repeating: [], count: isTurned ? height : width)
        var rows = [[[UInt8]]](repeating: blank, count: isTurned ? width : height)
        for y in 0..<height {
            for x in 0..<width {
                let place = stored(x, y, width: width, height: height, orientation: orientation)
                let color = pixel?(x, y) ?? color(x, y, width: width, height: height)
                rows[place.y][place.x] = color + (alpha.map { [$0] } ?? [])
            }
        }
        return rows
    }

    /// An EXIF block that states an orientation, little-endian, in a SHORT or another type.
    static func exif(_ orientation: Int, type: Int = 3) -> [UInt8] {
        Array("II*\0".utf8) + .little(8, 4) + .little(1, 2)
            + .little(0x0112, 2) + .little(type, 2) + .little(1, 4) + .little(orientation, 4)
            + .little(0, 4)
    }
}
