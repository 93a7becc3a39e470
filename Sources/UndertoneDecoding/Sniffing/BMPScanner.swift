import UndertoneProtocol

/// Reads a bitmap's headers (BITMAPCOREHEADER, BITMAPINFOHEADER and their successors).
enum BMPScanner {
    /// The size by the header, the end by the rows' length, and a profile.
    static func outline(
        _ bytes: Span<UInt8>, fileLength: Int
    ) throws(RequestError) -> PictureOutline {
        var outline = PictureOutline(length: fileLength)
        guard let start = bytes.littleEndian(at: 10, bytes: 4),
            let headerLength = bytes.littleEndian(at: 14, bytes: 4)
        else { return PictureOutline(end: .missing, length: fileLength) }
        let isCore = headerLength == 12
        guard
            let width = bytes.littleEndian(at: 18, bytes: isCore ? 2 : 4),
            let rawHeight = bytes.littleEndian(at: isCore ? 20 : 22, bytes: isCore ? 2 : 4),
            let depth = bytes.littleEndian(at: isCore ? 24 : 28, bytes: 2)
        else { return PictureOutline(end: .missing, length: fileLength) }
        // A negative height says that the rows go down.
        let height = isCore ? rawHeight : abs(Int(Int32(truncatingIfNeeded: rawHeight)))
        outline.size = PixelSize(width: width, height: height)
        outline.profile = profile(bytes, headerLength: headerLength)
        // Headers of OS/2 may end before it; any other that does is cut.
        guard let compression = headerLength < 20 ? 0 : bytes.littleEndian(at: 30, bytes: 4) else {
            outline.end = .missing
            return outline
        }
        switch compression {
        case 0, 3, 6:  // plain, or with masks for the channels
            // At most 2^32 · 2^16 bits a row.
            let row = (width * depth + 31) / 32 * 4
            let (data, isTooMuch) = row.multipliedReportingOverflow(by: height)
            let (needed, overflows) = data.addingReportingOverflow(start)
            outline.end = DataEnd(
                needed: isTooMuch || overflows ? nil : needed, fileLength: fileLength)
        case 1, 2:
            outline.end =
                endsRuns(bytes, from: start, isNibbles: compression == 2)
                ? .seen : .missing
        default:
            break
        }
        if depth == 16, compression == 3 || compression == 6, headerLength >= 56, start >= 70,
            let alpha = bytes.littleEndian(at: 66, bytes: 4), alpha != 0, outline.end == .seen,
            bytes.count == fileLength
        {
            outline.pieces = [.substitute(try widen(bytes, from: start, width, height))]
        }
        return outline
    }

    /// The most pixels of sixteen bits with alpha that are widened.
    private static let mostWidened = 1 << 24

    /// A bitmap of sixteen bits a pixel with alpha, which the loader ignores, in 32 bits a pixel.
    private static func widen(
        _ bytes: Span<UInt8>, from start: Int, _ width: Int, _ height: Int
    ) throws(RequestError) -> [UInt8] {
        guard PixelSize(width: width, height: height).pixels ?? .max <= mostWidened else {
            throw RequestError(
                .imageTooLarge, "a 16-bit bitmap with alpha has at most 16 million pixels")
        }
        // Red, green, blue, alpha, and where they go.
        let masks = (0..<4).map { bytes.littleEndian(at: 54 + 4 * $0, bytes: 4) ?? 0 }
        let places = [2, 1, 0, 3]
        var wide = (0..<start).map { bytes[$0] }
        wide[28] = 32
        for channel in 0..<4 {
            for index in 0..<4 { wide[54 + 4 * channel + index] = 0 }
            wide[54 + 4 * channel + places[channel]] = 255
        }
        // Each channel's value for each pixel that there can be.
        let tables = masks.map { mask -> [UInt8] in
            let shift = mask.trailingZeroBitCount
            let most = max(mask >> shift, 1)
            return (0..<65_536).map { UInt8((($0 & mask) >> shift * 255 + most / 2) / most) }
        }
        wide.reserveCapacity(start + 4 * width * height)
        let stride = (width * 16 + 31) / 32 * 4
        for row in 0..<height {
            for column in 0..<width {
                let offset = start + row * stride + 2 * column
                let pixel = Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
                wide.append(tables[2][pixel])
                wide.append(tables[1][pixel])
                wide.append(tables[0][pixel])
                wide.append(tables[3][pixel])
            }
        }
        return wide
    }

    /// The profile that a BITMAPV5HEADER may embed behind the pixels (`PROFILE_EMBEDDED`).
    private static func profile(_ bytes: Span<UInt8>, headerLength: Int) -> EmbeddedProfile? {
        guard headerLength == 124, bytes.holds("DEBM", at: 70),
            let start = bytes.littleEndian(at: 126, bytes: 4),
            let length = bytes.littleEndian(at: 130, bytes: 4),
            14 + start + length <= bytes.count
        else { return nil }
        return .icc((14 + start..<14 + start + length).map { bytes[$0] })
    }

    /// Whether run-length-coded data come to their end mark.
    private static func endsRuns(_ bytes: Span<UInt8>, from start: Int, isNibbles: Bool) -> Bool {
        var offset = start
        while let count = bytes.byte(at: offset), let value = bytes.byte(at: offset + 1) {
            offset += 2
            if count > 0 { continue }
            switch value {
            case 0: break  // end of row
            case 1: return true
            case 2: offset += 2  // a step to the right and up
            default:  // so many pixels as they are, padded to an even length
                let length = isNibbles ? (Int(value) + 1) / 2 : Int(value)
                offset += length + length % 2
            }
        }
        return false
    }
}
