import UndertoneProtocol

/// Reads what the first directory of a TIFF file says (TIFF 6.0).
enum TIFFScanner {
    /// A tag's number.
    private enum Tag {
        static let width = 256, height = 257, bitsPerSample = 258, compression = 259
        static let photometric = 262, stripOffsets = 273, orientation = 274, samplesPerPixel = 277
        static let rowsPerStrip = 278, stripLengths = 279, planarConfiguration = 284
        static let tileWidth = 322, tileHeight = 323, tileOffsets = 324, tileLengths = 325
        static let extraSamples = 338
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
            outline.isUnread = bytes.count < fileLength
            outline.end = outline.isUnread ? .unknown : .missing
            outline.loaderBytes = bufferBytes(fileLength)
            return outline
        }
        if let width = directory.number(Tag.width, in: bytes),
            let height = directory.number(Tag.height, in: bytes), width > 0, height > 0
        {
            let size = PixelSize(width: width, height: height)
            outline.size = size
            let parts = Parts(directory, bytes, of: size)
            outline.end = end(directory, bytes, fileLength, parts)
            outline.loaderBytes = loaderBytes(directory, bytes, fileLength, size, parts)
        }
        outline.orientation = directory.number(Tag.orientation, in: bytes)
        outline.isTurnedByLoader = true
        outline.alpha = try alpha(directory, bytes)
        return outline
    }

    /// The strips or the tiles that a picture is cut into.
    private struct Parts {
        var offsetsTag = Tag.stripOffsets
        var lengthsTag = Tag.stripLengths
        /// The pixels of one.
        var size: PixelSize
        /// How many cover the picture.
        var count: Int?

        init(_ directory: TIFFDirectory, _ bytes: Span<UInt8>, of picture: PixelSize) {
            if directory.number(Tag.tileOffsets, in: bytes) != nil {
                offsetsTag = Tag.tileOffsets
                lengthsTag = Tag.tileLengths
                size = PixelSize(
                    width: directory.number(Tag.tileWidth, in: bytes) ?? picture.width,
                    height: directory.number(Tag.tileHeight, in: bytes) ?? picture.height)
            } else {
                let rows = directory.number(Tag.rowsPerStrip, in: bytes) ?? picture.height
                size = PixelSize(width: picture.width, height: min(rows, picture.height))
            }
            guard size.width > 0, size.height > 0 else { return }
            func ceiling(_ length: Int, _ part: Int) -> Int { (length - 1) / part + 1 }
            let isPlanar = directory.number(Tag.planarConfiguration, in: bytes) == 2
            let planes = isPlanar ? directory.number(Tag.samplesPerPixel, in: bytes) ?? 1 : 1
            let plane = PixelSize(
                width: ceiling(picture.width, size.width),
                height: ceiling(picture.height, size.height))
            count = plane.pixels.flatMap { PixelSize(width: $0, height: planes).pixels }
        }
    }

    /// The end by the places of the parts, which must be enough for all rows: of those that are
    /// missing the loader makes pixels up.
    private static func end(
        _ directory: TIFFDirectory, _ bytes: Span<UInt8>, _ fileLength: Int, _ parts: Parts
    ) -> DataEnd {
        guard let offsets = directory.numbers(parts.offsetsTag, atMost: mostParts, in: bytes),
            let needed = parts.count
        else { return .unknown }
        if offsets.count < min(needed, mostParts) { return .missing }
        guard let lengths = directory.numbers(parts.lengthsTag, atMost: mostParts, in: bytes),
            offsets.count == lengths.count
        else { return .unknown }
        let isInside = zip(offsets, lengths).allSatisfy {
            $0 <= fileLength && $1 <= fileLength - $0
        }
        return isInside ? .seen : .missing
    }

    /// The memory that the loader takes: for the file, in a buffer that doubles as it grows, for
    /// the pixels, and for one part as it is stored and as it is unpacked.
    private static func loaderBytes(
        _ directory: TIFFDirectory, _ bytes: Span<UInt8>, _ fileLength: Int, _ size: PixelSize,
        _ parts: Parts
    ) -> Int {
        let samples = directory.number(Tag.samplesPerPixel, in: bytes) ?? 1
        let bits = directory.number(Tag.bitsPerSample, in: bytes) ?? 1
        let isPacked = directory.number(Tag.compression, in: bytes) ?? 1 != 1
        let lengths = directory.numbers(parts.lengthsTag, atMost: mostParts, in: bytes) ?? []
        let stored = isPacked ? min(lengths.max() ?? 0, fileLength) : 0
        // Numbers of 32 bits; those of a BigTIFF may be absurd.
        let pixels = Double(size.width) * Double(size.height) * 4
        let part = Double(parts.size.width) * Double(parts.size.height)
        let unpacked = part * Double(samples) * Double(bits) / 8
        let rest = pixels + unpacked + Double(stored)
        return bufferBytes(fileLength) + Int(min(rest, 1e18))
    }

    /// The buffer that the loader keeps a file in.
    private static func bufferBytes(_ fileLength: Int) -> Int {
        var buffer = 1
        while buffer < fileLength { buffer *= 2 }
        return buffer
    }

    /// What libtiff's RGBA interface makes of a fourth sample. It multiplies, or leaves multiplied,
    /// what the pixbuf calls straight: color with associated and unassociated alpha alike, but gray
    /// only with associated. What is nothing in particular it takes for associated alpha.
    private static func alpha(
        _ directory: TIFFDirectory, _ bytes: Span<UInt8>
    ) throws(RequestError) -> LoaderAlpha {
        let samples = directory.number(Tag.samplesPerPixel, in: bytes) ?? 1
        let extras = directory.numbers(Tag.extraSamples, atMost: 16, in: bytes) ?? []
        let extra = extras.first
        let isAssociated = extra == 1
        // Only the first of the other samples is looked at.
        if extras.dropFirst().contains(where: { $0 == 1 || $0 == 2 }) {
            throw RequestError(.unsupportedFormat, "the TIFF loader takes another sample for alpha")
        }
        switch directory.number(Tag.photometric, in: bytes) {
        case 0, 1:
            guard samples == 2, isAssociated || extra == 2 else { return .straight }
            if directory.number(Tag.bitsPerSample, in: bytes) ?? 1 > 8 {
                throw RequestError(
                    .unsupportedFormat, "the TIFF loader drops the alpha of 16-bit gray pictures")
            }
            return isAssociated ? .premultiplied : .straight
        case 2:
            if samples < 4 { return .straight }
            return isAssociated || extra == 2 ? .premultiplied : .meaningless
        case 5:
            if samples > 4, isAssociated || extra == 2 {
                throw RequestError(
                    .unsupportedFormat, "the TIFF loader drops the alpha of CMYK pictures")
            }
            return .straight
        case 8, 9, 10:
            // It takes their white, which is warm, for that of sRGB: gray comes out yellow.
            throw RequestError(
                .unsupportedFormat, "the TIFF loader does not adapt CIELAB pictures to sRGB")
        default:
            return .straight
        }
    }
}
