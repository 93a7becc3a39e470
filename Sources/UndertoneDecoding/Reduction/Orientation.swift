/// The EXIF orientations 1 to 8: where the stored picture's first row and column are displayed.
///
/// No pixel is ever moved: regions, which are given as displayed, are mapped to the stored picture.
enum Orientation: Int, CaseIterable {
    case upright = 1, mirrored, upsideDown, flipped, transposed, rightTop, transverse, leftBottom

    /// Whether stored columns are displayed as rows.
    var isTransposed: Bool { rawValue >= 5 }

    /// Whether the first stored column is displayed at the right or at the bottom.
    var reversesColumns: Bool {
        switch self {
        case .mirrored, .upsideDown, .transverse, .leftBottom: true
        case .upright, .flipped, .transposed, .rightTop: false
        }
    }

    /// Whether the first stored row is displayed at the bottom or at the right.
    var reversesRows: Bool {
        switch self {
        case .upsideDown, .flipped, .rightTop, .transverse: true
        case .upright, .mirrored, .transposed, .leftBottom: false
        }
    }

    /// The size as displayed of a size as stored, or the other way round.
    func turned(_ size: PixelSize) -> PixelSize {
        isTransposed ? PixelSize(width: size.height, height: size.width) : size
    }
}
