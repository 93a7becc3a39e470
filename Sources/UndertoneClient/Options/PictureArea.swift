internal import UndertoneProtocol

/// A part of a picture, as displayed.
public enum PictureArea: Equatable, Sendable {
    /// A rectangle in fractions of the width and height, 0…1.
    case rectangle(x: Double, y: Double, width: Double, height: Double)
    /// A strip along an edge, `size` being its share of the picture, 0…1.
    case edge(Edge, size: Double)

    /// An edge of a picture.
    public enum Edge: String, CaseIterable, Sendable {
        case top, bottom, left, right
    }
}

extension JSONWriter {
    mutating func value(_ area: PictureArea) {
        beginObject()
        switch area {
        case .rectangle(let x, let y, let width, let height):
            member("x", x)
            member("y", y)
            member("width", width)
            member("height", height)
        case .edge(let edge, let size):
            member("edge", edge.rawValue)
            member("size", size)
        }
        endObject()
    }
}
