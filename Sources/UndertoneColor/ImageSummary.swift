/// What a picture was reduced to: the decoder's only output and the cache's content.
public struct ImageSummary: Equatable, Sendable {
    /// Facts about the picture as a whole.
    public var image: ImageFacts
    /// Which file it was, before its first byte was read and after its last.
    public var identityBefore, identityAfter: FileIdentity
    /// The whole picture.
    public var picture: AreaSummary
    /// The regions in the order in which they were asked for, at most 16.
    public var regions: [AreaSummary]
    /// The picture's colours in OKLab, heaviest first, at most 64, weights adding up to 1.
    public var clusters: [ColorCluster]

    /// Creates a summary of its parts.
    public init(
        image: ImageFacts, identityBefore: FileIdentity, identityAfter: FileIdentity,
        picture: AreaSummary, regions: [AreaSummary], clusters: [ColorCluster]
    ) {
        self.image = image
        self.identityBefore = identityBefore
        self.identityAfter = identityAfter
        self.picture = picture
        self.regions = regions
        self.clusters = clusters
    }
}

/// Facts about a picture as a whole.
public struct ImageFacts: Equatable, Sendable {
    /// The size in pixels as displayed, that is, after orientation.
    public var width, height: Int
    /// The format by the file's first bytes.
    public var format: ImageFormat
    /// The EXIF orientation, 1…8.
    public var orientation: Int
    /// What became of the embedded colour profile.
    public var profile: ProfileUse
    /// Whether the whole picture was decoded; if not, the summary is of the decoded part.
    public var complete: Bool
    /// How the pixels were sampled.
    public var sampling: Sampling

    /// Creates the facts.
    public init(
        width: Int, height: Int, format: ImageFormat, orientation: Int, profile: ProfileUse,
        complete: Bool, sampling: Sampling
    ) {
        self.width = width
        self.height = height
        self.format = format
        self.orientation = orientation
        self.profile = profile
        self.complete = complete
        self.sampling = sampling
    }
}

/// A picture format that Undertone recognises by its first bytes.
public enum ImageFormat: String, ByteCoded, Sendable {
    case png, jpeg, gif, webp, tiff, bmp, ico, pnm, avif, heic, svg

    /// The format's name on the wire.
    public var name: String { rawValue }
}

/// What became of a picture's embedded colour profile.
public enum ProfileUse: String, ByteCoded, Sendable {
    /// There was none, or it was sRGB's own.
    case none
    /// The pixels were converted to sRGB.
    case converted
    /// It was damaged or of another colour space; the pixels were taken as sRGB.
    case unusable
}

/// How a picture's pixels are sampled.
public enum Sampling: String, ByteCoded, Sendable {
    /// Area-averaged to fit 480 × 480.
    case auto
    /// Every pixel.
    case exact
    /// A valid freedesktop thumbnail may stand in.
    case thumbnail
}

/// Which file a summary is of: any write, replacement or truncation changes it.
public struct FileIdentity: Hashable, Sendable {
    public var device, inode, size: UInt64
    /// Modification and change times in nanoseconds since the epoch.
    public var modified, changed: Int64

    /// Creates an identity of its parts.
    public init(device: UInt64, inode: UInt64, size: UInt64, modified: Int64, changed: Int64) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
    }
}

/// A colour that a picture holds, with its share of the picture.
public struct ColorCluster: Equatable, Sendable {
    /// The mean in OKLab: L 0…1, a and b within ±0.5.
    public var oklab: SIMD3<Float>
    /// The share of the picture's alpha-weighted area, 0…1.
    public var weight: Float

    /// Creates a cluster.
    public init(oklab: SIMD3<Float>, weight: Float) {
        self.oklab = oklab
        self.weight = weight
    }

    /// Whether the mean is of pixels of one colour, rather than of several that are alike.
    var isOneColor: Bool { SIMD3<Float>(color.oklab) == oklab }
}
