import UndertoneProtocol

/// Reads what the first directory of a TIFF file says (TIFF 6.0).
enum TIFFScanner {
    /// A tag's number.
    private enum Tag {
        static let width = 256, height = 257, bitsPerSample = 258, photometric = 262
        static let stripOffsets = 273, orientation = 274, samplesPerPixel = 277
        static let stripLengths = 279, tileOffsets = 324, tileLengths = 325, extraSamples = 338
    }

    /// The most strips or tiles that are looked at: some 100 million pixels in tiles of 8 × 8.
    private static let mostParts = 1 << 21

    /// The size and the orientation by their tags, the end by the strips' or tiles' places.
    static func outline(
        _ bytes: Span<UInt8>, fileLength: Int
    ) throws(RequestError) -> PictureOutline {
        var outline = PictureOutline(length: fileLength)
        guard let directory = TIFFDirectory(firstOf: bytes) else {
            // A file that is read in pieces may well have its directory at its end.
            outline.end = bytes.count == fileLength ? .missing : .unknown
            return outline
        }
        if let width = directory.number(Tag.width, in: bytes),
            let height = directory.number(Tag.height, in: bytes)
        {
            outline.size = PixelSize(width: width, height: height)
        }
        outline.orientation = directory.number(Tag.orientation, in: bytes)
        outline.isTurnedByLoader = true
        outline.isPremultiplied = try isPremultiplied(directory, bytes)
        outline.end = end(directory, bytes, fileLength)
        return outline
    }

    private static func end(
        _ directory: TIFFDirectory, _ bytes: Span<UInt8>, _ fileLength: Int
    ) -> DataEnd {
        let tags =
            directory.number(Tag.tileOffsets, in: bytes) == nil
            ? (Tag.stripOffsets, Tag.stripLengths) : (Tag.tileOffsets, Tag.tileLengths)
        guard let offsets = directory.numbers(tags.0, atMost: mostParts, in: bytes),
            let lengths = directory.numbers(tags.1, atMost: mostParts, in: bytes),
            offsets.count == lengths.count
        else { return .unknown }
        let isInside = zip(offsets, lengths).allSatisfy {
            $0 <= fileLength && $1 <= fileLength - $0
        }
        return isInside ? .seen : .missing
    }

    /// Whether libtiff's RGBA interface multiplies, or leaves multiplied, what the pixbuf calls
    /// straight: color with associated and unassociated alpha alike, but gray only with associated.
    private static func isPremultiplied(
        _ directory: TIFFDirectory, _ bytes: Span<UInt8>
    ) throws(RequestError) -> Bool {
        let samples = directory.number(Tag.samplesPerPixel, in: bytes) ?? 1
        let extra = directory.number(Tag.extraSamples, in: bytes)
        let isAssociated = extra == 1
        switch directory.number(Tag.photometric, in: bytes) {
        case 0, 1:
            guard samples == 2, isAssociated || extra == 2 else { return false }
            if directory.number(Tag.bitsPerSample, in: bytes) ?? 1 > 8 {
                throw RequestError(
                    .unsupportedFormat, "the TIFF loader drops the alpha of 16-bit gray pictures")
            }
            return isAssociated
        case 2:
            return samples >= 4 && (isAssociated || extra == 2)
        default:
            return false
        }
    }
}
