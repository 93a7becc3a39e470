import UndertoneColor
import UndertoneProtocol

/// What a picture's first bytes tell of it, as far as an answer says it.
struct PictureHeader: Equatable {
    /// The size as stored; nil in formats whose loaders alone can tell it.
    private(set) var size: PixelSize?
    /// The EXIF orientation that the file states, 1…8.
    private(set) var orientation = 1

    /// Reads the header of a picture of a known format.
    ///
    /// - Returns: nil where a thumbnail cannot stand in: the header lies behind the bytes that were
    ///   read, is damaged or above the limits, or is turned in a way that thumbnailers do not know.
    init?(_ format: ImageFormat, _ bytes: Span<UInt8>, fileLength: Int) {
        switch format {
        case .svg, .avif, .heic:
            return
        case .webp where Self.hidesOrientation(bytes):
            return nil
        default:
            break
        }
        guard let outline = try? PictureOutline.read(format, bytes, fileLength: fileLength),
            let size = outline.size, size.width > 0, size.height > 0,
            size.pixels ?? .max <= Limits.headerPixels
        else { return nil }
        self.size = size
        guard let stated = outline.orientation, (1...8).contains(stated) else { return }
        // Of other formats gdk-pixbuf does not tell the orientation, and so no thumbnail is turned.
        guard stated == 1 || format == .jpeg || format == .tiff else { return nil }
        orientation = stated
    }

    /// Whether a WebP says that it has EXIF data, which stand behind the pixels.
    private static func hidesOrientation(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.holds("VP8X", at: 12), let flags = bytes.byte(at: 20) else { return false }
        return flags & 0x08 != 0
    }

    /// The size as displayed, given the size as stored.
    func displayed(_ size: PixelSize) -> PixelSize {
        (Orientation(rawValue: orientation) ?? .upright).turned(size)
    }
}
