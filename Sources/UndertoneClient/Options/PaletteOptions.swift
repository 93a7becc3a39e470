public import UndertoneColor
internal import UndertoneProtocol

/// What is to be known of a picture's palette; nil stands for the daemon's own choice.
public struct PaletteOptions: Equatable, Sendable {
    /// How many colours there may be, 1…32.
    public var count: Int?
    /// The contrast ratio that text on them is to reach, 1…21.
    public var contrast: Double?
    /// How pixels are sampled.
    public var sampling: Sampling?

    /// Creates options that leave everything to the daemon.
    public init() {}
}

extension PaletteOptions: PictureRequest {
    typealias Answer = PaletteAnswer

    static var operation: String? { "palette" }

    func writeOptions(_ writer: inout JSONWriter) {
        writer.member("count", count)
        writer.member("contrast", contrast)
        writer.member("sampling", sampling?.rawValue)
    }
}
