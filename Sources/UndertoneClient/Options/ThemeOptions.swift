public import UndertoneColor
internal import UndertoneProtocol

/// What is to be known of a theme; nil stands for the daemon's own choice.
public struct ThemeOptions: Equatable, Sendable {
    /// Whether the background is dark or light; nil for what suits the picture.
    public var scheme: Scheme?
    /// How pixels are sampled.
    public var sampling: Sampling?
    /// The result's shape; that of pywal's file `Client` does not take apart.
    var format: ThemeRequest.Format?

    /// Creates options that leave everything to the daemon.
    public init() {}
}

extension ThemeOptions: PictureRequest {
    typealias Answer = ThemeAnswer

    static var operation: String? { "theme" }

    var isForeign: Bool { format == .pywal }

    func writeOptions(_ writer: inout JSONWriter) {
        writer.member("scheme", scheme?.rawValue)
        writer.member("format", format?.rawValue)
        writer.member("sampling", sampling?.rawValue)
    }
}
