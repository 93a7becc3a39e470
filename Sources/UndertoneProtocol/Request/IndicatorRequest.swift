public import UndertoneColor

/// A question for the strip under a picture that shows which of several it is.
public struct IndicatorRequest: Hashable, Sendable {
    /// What the decoder has to do: one region, unless the strip belongs to the whole picture.
    public var job: DecodeJob
    /// The picture to be drawn on the strip, if there is one.
    public var glyph: DecodeJob?
    /// Which of the averages is the strip's base.
    public var average: AverageKind
    /// The material's kind; nil for the one that needs to be less opaque.
    public var scheme: Scheme?
    /// What the material is laid over.
    public var over: Material.Base

    /// Creates a question; without an area, about the whole picture.
    public init(
        path: [UInt8], sampling: Sampling = .auto, backdrop: RGB8? = nil,
        area: RegionRectangle? = nil, glyph: [UInt8]? = nil, average: AverageKind = .simple,
        scheme: Scheme? = nil, over: Material.Base = .background
    ) {
        job = DecodeJob(
            path: path, sampling: sampling, backdrop: backdrop, regions: area.map { [$0] } ?? [])
        self.glyph = glyph.map { DecodeJob(path: $0, sampling: sampling) }
        self.average = average
        self.scheme = scheme
        self.over = over
    }
}

extension IndicatorRequest {
    /// The names of what an `indicator` request may hold besides what every request may.
    static let fieldNames =
        PictureLocation.fieldNames + [
            "area", "average", "scheme", "over", "glyph", "sampling", "backdrop",
        ]

    /// Understands an `indicator` request.
    init(_ fields: RequestFields) throws(RequestError) {
        self.init(
            path: try PictureLocation.path(in: fields),
            sampling: try fields.sampling(),
            backdrop: try fields.color("backdrop"),
            area: try RegionRectangle.area(in: fields),
            glyph: try fields.object("glyph").map(PictureLocation.path(alone:)),
            average: try fields.average(),
            scheme: try fields.scheme(),
            over: try fields.choice("over") ?? .background)
    }
}
