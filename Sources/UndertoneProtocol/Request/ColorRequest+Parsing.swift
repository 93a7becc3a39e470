internal import UndertoneColor

extension ColorRequest {
    /// The names of what a `color` request may hold besides what every request may.
    static let fieldNames =
        PictureLocation.fieldNames + ["average", "contrast", "regions", "sampling", "backdrop"]

    /// Understands a `color` request.
    init(_ fields: RequestFields) throws(RequestError) {
        self.init(
            path: try PictureLocation.path(in: fields),
            sampling: try fields.choice("sampling", of: Sampling.named) ?? .auto,
            backdrop: try fields.color("backdrop"),
            regions: try RegionRectangle.named(in: fields),
            average: try fields.choice("average", of: AverageKind.named) ?? .simple,
            contrast: try fields.contrast())
    }
}

extension Sampling {
    /// The ways of sampling by their names on the wire.
    static let named = allCases.map { (name: "\($0)", value: $0) }
}

extension AverageKind {
    /// The averages by their names on the wire.
    static let named = allCases.map { (name: "\($0)", value: $0) }
}
