public import UndertoneColor

/// What the daemon asks of the decoder: one picture, read once.
public struct DecodeJob: Hashable, Sendable {
    /// The absolute path, any bytes but NUL.
    public var path: [UInt8]
    /// How the pixels are to be sampled.
    public var sampling: Sampling
    /// The colour behind transparent parts, if the client named one.
    public var backdrop: RGB8?
    /// The regions in the order of the answer, at most `Limits.regions`.
    public var regions: [RegionRectangle]

    /// Creates a job.
    public init(
        path: [UInt8], sampling: Sampling = .auto, backdrop: RGB8? = nil,
        regions: [RegionRectangle] = []
    ) {
        self.path = path
        self.sampling = sampling
        self.backdrop = backdrop
        self.regions = regions
    }
}

extension DecodeJob {
    /// The jobs whose summaries answer this one, the closest first: where a thumbnail may stand in
    /// for the picture, the picture itself may, too.
    public var answers: [DecodeJob] {
        guard sampling == .thumbnail else { return [self] }
        var picture = self
        picture.sampling = .auto
        return [self, picture]
    }
}

/// A rectangle in fractions of the picture as displayed: 0,0 is the top left, 1,1 the bottom right.
public struct RegionRectangle: Hashable, Sendable {
    public var x, y, width, height: Double

    /// Creates a rectangle; `x + width` and `y + height` are at most 1, both sizes above 0.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}
