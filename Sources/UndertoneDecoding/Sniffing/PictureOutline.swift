package import UndertoneColor
package import UndertoneProtocol

/// What a file's own bytes say of the picture, before a loader sees them.
package struct PictureOutline: Equatable {
    /// The size as stored, before orientation, where the header tells it cheaply.
    package var size: PixelSize?
    /// Whether the picture's end is in the file.
    package var end = DataEnd.unknown
    /// The width as a multiple of the height, where an SVG document tells it.
    var aspectRatio: Double?
    /// What the loader is fed for the first picture, in order.
    package var pieces: [Piece]
    /// The EXIF orientation 1…8 where the loader does not tell it as it is.
    package var orientation: Int?
    /// Whether the loader turns the picture itself, and its option says what is left to do.
    var isTurnedByLoader = false
    /// The memory that the loader takes, where that may be far more than the pixels.
    var loaderBytes = 0
    /// The pixels of the largest picture in a file that does not tell which one it shows: what
    /// memory may be wanted, and nothing to rely on.
    var expectedPixels = 0
    /// Whether what tells of the picture lies behind what was read of the file.
    var isUnread = false
    /// What the loader makes of alpha.
    var alpha = LoaderAlpha.straight
    /// Whether each pixel of a GIF is drawn, and none transparent.
    var isCovered = false
    /// Whether the picture is the first frame of an animation of which the loader reports no rows.
    var isAnimated = false
    /// The embedded profile where the loader does not hand it on.
    var profile: EmbeddedProfile?
    /// Whether that profile counts even where the loader hands one on.
    var overridesLoaderProfile = false
    /// Whether some of the picture's detail is not in the file, which the loader does not say.
    var lacksDetail = false
    /// The picture inside the picture file, where an icon holds whole PNG files.
    var embedded: ImageFormat?
    /// The scans of a JPEG that are fed.
    package var scans: JPEGScans?
    /// How a JPEG is coded.
    var coding: RingingEstimate.Coding?
    /// Whether the file holds every coefficient of a JPEG.
    var isDetailed = false

    /// Whether all that is fed is among a file's first bytes.
    func isInside(_ count: Int) -> Bool {
        pieces.allSatisfy { piece in
            if case .file(let range) = piece { range.upperBound <= count } else { true }
        }
    }

    /// An outline of which nothing is known but where the bytes are.
    init(size: PixelSize? = nil, end: DataEnd = .unknown, length: Int) {
        self.size = size
        self.end = end
        pieces = [.file(0..<length)]
    }
}

/// Bytes that a loader is fed.
package enum Piece: Equatable {
    /// A part of the file as it is.
    case file(Range<Int>)
    /// Bytes that stand in for some of the file's, in headers that speak of more than one picture.
    case substitute([UInt8])

    /// Whether the bytes are the file's own.
    var isFile: Bool {
        if case .file = self { true } else { false }
    }
}

/// What the fourth channel of a loader's pixels is.
enum LoaderAlpha {
    /// The alpha of colors that are not multiplied by it.
    case straight
    /// The alpha of colors that are.
    case premultiplied
    /// Nothing: each pixel is opaque.
    case meaningless
}

/// A picture's size in pixels.
package struct PixelSize: Equatable {
    package var width, height: Int

    /// The number of pixels, or `nil` where it overflows.
    package var pixels: Int? {
        let (product, overflows) = width.multipliedReportingOverflow(by: height)
        return overflows ? nil : product
    }
}

/// What is known of the end of a picture's data.
package enum DataEnd: Equatable {
    /// The mark or the length that ends the picture was found.
    case seen
    /// The file ends before the picture does.
    case missing
    /// The format does not tell; the loader's word counts.
    case unknown

    /// The end of data that takes so many bytes of a file, or that has overflown.
    init(needed: Int?, fileLength: Int) {
        guard let needed else {
            self = .missing
            return
        }
        self = needed <= fileLength ? .seen : .missing
    }
}

extension PictureOutline {
    /// Reads the outline of a picture of a known format.
    ///
    /// `bytes` is the file or, if it is very large, its beginning; `fileLength` is the whole.
    package static func read(
        _ format: ImageFormat, _ bytes: Span<UInt8>, fileLength: Int
    ) throws(RequestError) -> PictureOutline {
        switch format {
        case .png: PNGScanner.outline(bytes, fileLength: fileLength)
        case .jpeg: JPEGScanner.outline(bytes, fileLength: fileLength)
        case .gif: GIFScanner.outline(bytes, fileLength: fileLength)
        case .webp: WebPScanner.outline(bytes, fileLength: fileLength)
        case .tiff: try TIFFScanner.outline(bytes, fileLength: fileLength)
        case .bmp: try BMPScanner.outline(bytes, fileLength: fileLength)
        case .ico: ICOScanner.outline(bytes, fileLength: fileLength)
        case .pnm: PNMScanner.outline(bytes, fileLength: fileLength)
        case .avif, .heic: ISOMediaScanner.outline(bytes, fileLength: fileLength)
        case .svg: SVGSniffer.outline(bytes, fileLength: fileLength)
        }
    }
}
