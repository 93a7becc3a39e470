import UndertoneColor

/// A decoded picture, with what the reduction must know of it.
struct DecodedPicture {
    /// The pixels as stored, perhaps scaled down by the loader.
    var pixbuf: Pixbuf
    /// The size as stored, before scaling.
    var original: PixelSize
    /// How many original pixels each decoded one spans along each axis.
    var scale: Int
    /// Which rows are known, or `nil` where the picture is complete.
    var coverage: RowCoverage?
    /// How the stored picture is to be displayed.
    var orientation: Orientation

    /// Whether a stored row was decoded.
    func isKnown(_ row: Int) -> Bool {
        coverage?.contains(row) ?? true
    }

    /// Converts the pixels in place by the embedded profile, if there is one that can be used.
    func convertToSRGB() -> ProfileUse {
        guard let profile = pixbuf.decodedOption("icc-profile") else { return .none }
        switch ProfileConverter.judge(profile, channels: pixbuf.channels) {
        case .none: return .none
        case .unusable: return .unusable
        case .convert(let converter):
            for row in 0..<pixbuf.size.height where isKnown(row) {
                unsafe converter.convert(pixbuf.row(row), channels: pixbuf.channels)
            }
            return .converted
        }
    }
}
