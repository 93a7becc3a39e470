public import UndertoneColor

/// A question for the few most telling colours of one picture.
public struct PaletteRequest: Hashable, Sendable {
    /// What the decoder has to do.
    public var job: DecodeJob
    /// The most colours, 1…32.
    public var count: Int
    /// The contrast ratio that text on each of them is to reach, 1…21.
    public var contrast: Double

    /// The most colours where a client does not say.
    public static let defaultCount = 8

    /// Creates a question.
    public init(
        path: [UInt8], sampling: Sampling = .auto, count: Int = PaletteRequest.defaultCount,
        contrast: Double = ColorRequest.defaultContrast
    ) {
        job = DecodeJob(path: path, sampling: sampling)
        self.count = count
        self.contrast = contrast
    }
}

extension PaletteRequest {
    /// The names of what a `palette` request may hold besides what every request may.
    static let fieldNames = PictureLocation.fieldNames + ["count", "contrast", "sampling"]

    /// Understands a `palette` request.
    init(_ fields: RequestFields) throws(RequestError) {
        self.init(
            path: try PictureLocation.path(in: fields),
            sampling: try fields.sampling(),
            count: try fields.whole("count", in: 1...ColorPalette.maximumCount)
                ?? PaletteRequest.defaultCount,
            contrast: try fields.contrast())
    }
}
