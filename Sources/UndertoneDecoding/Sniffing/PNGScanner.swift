import UndertoneProtocol

/// Walks a PNG's chunks (PNG specification, section 5.3).
enum PNGScanner {
    /// The passes of Adam7 (section 8.2): where a pass begins, and how far apart its pixels are.
    private static let passes: [(left: Int, top: Int, across: Int, down: Int)] = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
    ]

    /// The most bytes of an embedded profile that are looked at.
    private static let profileBytes = 4 << 20

    /// The size by IHDR, the orientation by eXIf, a color space by cICP or iCCP, the end by IEND
    /// and, of an interlaced picture, whether all data are there, which the loader does not say.
    ///
    /// Of color spaces, cICP counts before iCCP (PNG third edition, section 4.3) if we know what it
    /// states.
    static func outline(_ bytes: Span<UInt8>, fileLength: Int) -> PictureOutline {
        var outline = PictureOutline(end: .missing, length: fileLength)
        guard bytes.holds("IHDR", at: 12),
            let width = bytes.bigEndian(at: 16, bytes: 4),
            let height = bytes.bigEndian(at: 20, bytes: 4)
        else { return outline }
        outline.size = PixelSize(width: width, height: height)

        let depth = Int(bytes.byte(at: 24) ?? 0) * samples(ofType: bytes.byte(at: 25) ?? 0)
        let isInterlaced = bytes.byte(at: 28) == 1
        var data: [Range<Int>] = []
        var offset = 8
        while let length = bytes.bigEndian(at: offset, bytes: 4), bytes.count - offset >= 12 {
            // Length, type and checksum take twelve bytes.
            let next = offset + 12 + length
            if next > bytes.count {
                // Of a file that is read in pieces the loader finds the end.
                if bytes.count < fileLength { outline.end = .unknown }
                break
            }
            if bytes.holds("eXIf", at: offset + 4) {
                outline.orientation = EXIFOrientation.read(
                    bytes.extracting(offset + 8..<offset + 8 + length))
            } else if bytes.holds("cICP", at: offset + 4), length == 4 {
                let space = CodedColorSpace(
                    primaries: Int(bytes[offset + 8]), transfer: Int(bytes[offset + 9]))
                if outline.profile == nil || space.isConvertible {
                    outline.profile = .coded(space)
                    outline.overridesLoaderProfile = space.isConvertible
                }
            } else if bytes.holds("iCCP", at: offset + 4), !outline.overridesLoaderProfile {
                outline.profile = .icc(
                    profile(bytes.extracting(offset + 8..<offset + 8 + length)))
            } else if isInterlaced, bytes.holds("IDAT", at: offset + 4) {
                data.append(offset + 8..<offset + 8 + length)
            } else if bytes.holds("IEND", at: offset + 4) {
                outline.end = .seen
                outline.pieces = [.file(0..<next)]
                break
            }
            offset = next
        }
        if isInterlaced, outline.end == .seen, let pixels = outline.size?.pixels,
            pixels <= Limits.pixels
        {
            let needed = dataBytes(width: width, height: height, depth: depth)
            outline.lacksDetail = !ZlibData.reaches(needed, in: bytes, parts: data)
        }
        return outline
    }

    /// How many bytes the seven passes unpack to: each row has a byte for its filter.
    private static func dataBytes(width: Int, height: Int, depth: Int) -> Int {
        var sum = 0
        for pass in passes {
            let columns = (width - pass.left + pass.across - 1) / pass.across
            let rows = (height - pass.top + pass.down - 1) / pass.down
            if columns > 0, rows > 0 { sum += rows * (1 + (columns * depth + 7) / 8) }
        }
        return sum
    }

    /// The samples of a pixel by IHDR's color type.
    private static func samples(ofType type: UInt8) -> Int {
        switch type {
        case 2: 3
        case 4: 2
        case 6: 4
        default: 1
        }
    }

    /// The profile in an iCCP chunk, behind its name and the one method there is; empty, and so
    /// unusable, if it is damaged.
    private static func profile(_ content: Span<UInt8>) -> [UInt8] {
        guard let end = content.firstOffset(of: 0, from: 0), content.byte(at: end + 1) == 0
        else { return [] }
        return ZlibData.inflate(
            content.extracting(droppingFirst: end + 2), atMost: profileBytes, .zlib)
    }
}
