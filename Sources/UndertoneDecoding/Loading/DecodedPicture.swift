import CGdkPixbuf
import UndertoneColor

/// A decoded picture, with what the reduction must know of it.
struct DecodedPicture {
    /// The pixels as stored, perhaps scaled down by the loader.
    let pixbuf: Pixbuf
    /// The size as stored, before scaling; of an SVG, its own.
    let statedSize: PixelSize
    /// How many original pixels each decoded one spans along each axis.
    var scale = 1
    /// Which rows were decoded, or `nil` where the picture is complete.
    var knownRows: [Bool]?
    /// How the stored picture is to be displayed.
    private(set) var orientation = Orientation.upright
    /// The EXIF orientation that the file states, 1…8.
    private(set) var statedOrientation = 1
    private var alpha = LoaderAlpha.straight
    private var profile: EmbeddedProfile?

    /// Takes a picture as the loader left it.
    init(pixbuf: Pixbuf, statedSize: PixelSize) {
        self.pixbuf = pixbuf
        self.statedSize = statedSize
        profile = pixbuf.decodedOption("icc-profile").map(EmbeddedProfile.icc)
        if let option = pixbuf.option("orientation").flatMap({ Int($0) }),
            let orientation = Orientation(rawValue: option)
        {
            self.orientation = orientation
            statedOrientation = option
        }
    }

    /// Adds what only the file's own bytes tell.
    ///
    /// From gdk-pixbuf 2.43 on, loaders may apply all of it themselves.
    mutating func adopt(_ outline: PictureOutline) {
        guard gdk_pixbuf_minor_version < 43 else { return }
        if pixbuf.channels == 4 { alpha = outline.alpha }
        if profile == nil || outline.overridesLoaderProfile { profile = outline.profile }
        guard let stated = outline.orientation, (1...8).contains(stated) else { return }
        statedOrientation = stated
        // Of a TIFF the loader turns what it can, and its option says what is left to do.
        if !outline.isTurnedByLoader { orientation = Orientation(rawValue: stated) ?? .upright }
    }

    /// The pixels that the decoded ones stand for.
    var original: PixelSize { scale == 1 ? pixbuf.size : statedSize }

    /// Whether a stored row was decoded.
    func isKnown(_ row: Int) -> Bool {
        knownRows?[row] ?? true
    }

    /// Makes the pixels straight sRGB, in place, and says what became of the embedded profile.
    func convertToStraightSRGB() -> ProfileUse {
        let rows = (0..<pixbuf.size.height).lazy.filter(isKnown)
        switch alpha {
        case .straight: break
        case .premultiplied: for row in rows { pixbuf.unpremultiply(row: row) }
        case .meaningless: for row in rows { pixbuf.makeOpaque(row: row) }
        }
        guard let profile else { return .none }
        switch ProfileConverter.judge(profile, channels: pixbuf.channels) {
        case .none: return .none
        case .unusable: return .unusable
        case .convert(let converter):
            if converter.needsGray, !rows.allSatisfy(pixbuf.isGray) { return .unusable }
            for row in rows {
                unsafe converter.convert(pixbuf.row(row), channels: pixbuf.channels)
            }
            return .converted
        }
    }
}
