public import UndertoneColor
internal import UndertoneProtocol

/// What is to be known of the strip under a picture; nil stands for the daemon's own choice.
public struct IndicatorOptions: Equatable, Sendable {
    /// The part of the picture that the strip takes its colour from.
    public var area: PictureArea?
    /// Which average is its colour.
    public var average: AverageKind?
    /// Whether the material is dark or light; nil for the one that needs to be less opaque.
    public var scheme: Scheme?
    /// What the material is laid over.
    public var base: Material.Base?
    /// The absolute path of a picture to be drawn on the strip.
    public var glyph: [UInt8]?
    /// How pixels are sampled.
    public var sampling: Sampling?
    /// What transparent parts lie on.
    public var backdrop: RGB8?

    /// Creates options that leave everything to the daemon.
    public init() {}
}

extension IndicatorOptions: PictureRequest {
    typealias Answer = IndicatorAnswer

    static var operation: String? { "indicator" }

    func writeOptions(_ writer: inout JSONWriter) {
        if let area {
            writer.name("area")
            writer.value(area)
        }
        writer.member("average", average?.rawValue)
        writer.member("scheme", scheme?.rawValue)
        writer.member("over", base?.rawValue)
        if let glyph {
            writer.name("glyph")
            writer.picture(glyph)
        }
        writer.member("sampling", sampling?.rawValue)
        writer.member("backdrop", backdrop?.hex)
    }
}
