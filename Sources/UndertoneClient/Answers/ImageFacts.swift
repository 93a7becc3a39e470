internal import GLibSupport

/// Facts about a picture as a whole.
public struct ImageFacts: Equatable, Sendable {
    /// The size in pixels as displayed.
    public var width, height: Int
    /// The format, as `status` lists them.
    public var format: String
    /// Whether all of the picture could be decoded.
    public var isComplete: Bool
}

extension ImageFacts {
    /// Takes the member `image` of a result.
    init(_ document: JSONDocument) throws(ClientError) {
        self.init(
            width: try document.integer("width"), height: try document.integer("height"),
            format: try document.text("format"),
            isComplete: document["complete"]?.boolean ?? true)
    }

    /// The size, the format, and that a part is missing, for people.
    var summary: String {
        "\(width) × \(height) \(printable(format))" + (isComplete ? "" : ", incomplete")
    }
}
