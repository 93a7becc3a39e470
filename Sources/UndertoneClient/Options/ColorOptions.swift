public import UndertoneColor
internal import UndertoneProtocol

/// What is to be known of a picture's colours; nil stands for the daemon's own choice.
public struct ColorOptions: Equatable, Sendable {
    /// Which average becomes the background.
    public var average: AverageKind?
    /// The contrast ratio that text is to reach, 1…21.
    public var contrast: Double?
    /// Parts of the picture to be told as well, at most `Limits.regions`.
    public var regions: [(name: String, area: PictureArea)] = []
    /// How pixels are sampled.
    public var sampling: Sampling?
    /// What transparent parts lie on.
    public var backdrop: RGB8?

    /// Creates options that leave everything to the daemon.
    public init() {}

    /// Compares everything.
    public static func == (one: ColorOptions, other: ColorOptions) -> Bool {
        one.average == other.average && one.contrast == other.contrast
            && one.sampling == other.sampling && one.backdrop == other.backdrop
            && one.regions.elementsEqual(other.regions, by: ==)
    }
}

extension ColorOptions: PictureRequest {
    typealias Answer = ColorAnswer

    static var operation: String? { nil }

    func writeOptions(_ writer: inout JSONWriter) {
        writer.member("average", average?.rawValue)
        writer.member("contrast", contrast)
        if !regions.isEmpty {
            writer.name("regions")
            writer.beginObject()
            for region in regions {
                writer.name(escaping: region.name)
                writer.value(region.area)
            }
            writer.endObject()
        }
        writer.member("sampling", sampling?.rawValue)
        writer.member("backdrop", backdrop?.hex)
    }
}
