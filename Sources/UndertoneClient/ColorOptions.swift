public import UndertoneColor
internal import UndertoneProtocol

/// What is to be known of a picture's colours; nil stands for the daemon's own choice.
public struct ColorOptions: Equatable, Sendable {
    /// Which average becomes the background.
    public var average: AverageKind?
    /// The contrast ratio that text is to reach, 1…21.
    public var contrast: Double?
    /// Parts of the picture to be told as well, at most `Limits.regions`.
    public var regions: [(name: String, area: Area)] = []
    /// How pixels are sampled.
    public var sampling: Sampling?
    /// What transparent parts lie on.
    public var backdrop: RGB8?

    /// Creates options that leave everything to the daemon.
    public init() {}

    /// A part of a picture, as displayed.
    public enum Area: Equatable, Sendable {
        /// A rectangle in fractions of the width and height, 0…1.
        case rectangle(x: Double, y: Double, width: Double, height: Double)
        /// A strip along an edge, `size` being its share of the picture, 0…1.
        case edge(Edge, size: Double)
    }

    /// An edge of a picture.
    public enum Edge: String, CaseIterable, Sendable {
        case top, bottom, left, right
    }

    /// Compares everything.
    public static func == (one: ColorOptions, other: ColorOptions) -> Bool {
        one.average == other.average && one.contrast == other.contrast
            && one.sampling == other.sampling && one.backdrop == other.backdrop
            && one.regions.elementsEqual(other.regions, by: ==)
    }

    /// Writes the question about one picture as a line, newline included.
    ///
    /// - Parameter path: An absolute path.
    public func request(path: [UInt8]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.path(path)
        if let average {
            writer.name("average")
            writer.value(average.rawValue)
        }
        if let contrast {
            writer.name("contrast")
            writer.value(contrast)
        }
        if !regions.isEmpty {
            writer.name("regions")
            writer.beginObject()
            for region in regions {
                writer.name(escaping: region.name)
                writer.area(region.area)
            }
            writer.endObject()
        }
        if let sampling {
            writer.name("sampling")
            writer.value("\(sampling)")
        }
        if let backdrop {
            writer.name("backdrop")
            writer.value(backdrop)
        }
        writer.endObject()
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}

extension JSONWriter {
    fileprivate mutating func area(_ area: ColorOptions.Area) {
        beginObject()
        switch area {
        case .rectangle(let x, let y, let width, let height):
            name("x")
            value(x)
            name("y")
            value(y)
            name("width")
            value(width)
            name("height")
            value(height)
        case .edge(let edge, let size):
            name("edge")
            value(edge.rawValue)
            name("size")
            value(size)
        }
        endObject()
    }
}
