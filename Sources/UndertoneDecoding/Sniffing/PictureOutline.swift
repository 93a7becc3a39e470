import UndertoneColor

/// What a file's own bytes say of the picture, before a loader sees them.
struct PictureOutline: Equatable {
    /// The size as stored, before orientation, where the header tells it cheaply.
    var size: PixelSize?
    /// Whether the picture's end is in the file.
    var end = DataEnd.unknown
    /// How many of the file's bytes the first picture takes: the rest is not fed to the loader.
    var length: Int
    /// The EXIF orientation 1…8, of formats whose loader does not tell it.
    var orientation: Int?
    /// Whether pixels arrive multiplied by their alpha.
    var isPremultiplied = false
}

/// A picture's size in pixels.
struct PixelSize: Equatable {
    var width, height: Int

    /// The number of pixels, or `nil` where it overflows.
    var pixels: Int? {
        let (product, overflows) = width.multipliedReportingOverflow(by: height)
        return overflows ? nil : product
    }
}

/// What is known of the end of a picture's data.
enum DataEnd: Equatable {
    /// The mark or the length that ends the picture was found.
    case seen
    /// The file ends before the picture does.
    case missing
    /// The format does not tell; the loader's word counts.
    case unknown
}

extension PictureOutline {
    /// Reads the outline of a picture of a known format.
    ///
    /// `bytes` is the file or, if it is very large, its beginning; `fileLength` is the whole.
    init(_ format: ImageFormat, _ bytes: Span<UInt8>, fileLength: Int) {
        switch format {
        case .png: self = PNGScanner.outline(bytes, fileLength: fileLength)
        case .gif: self = GIFScanner.outline(bytes, fileLength: fileLength)
        case .webp: self = WebPScanner.outline(bytes, fileLength: fileLength)
        default: self.init(length: fileLength)
        }
    }
}
