internal import UndertoneColor

extension ColorRequest {
    /// The names of what a `color` request may hold besides what every request may.
    static let fieldNames =
        PictureLocation.fieldNames + ["average", "contrast", "regions", "sampling", "backdrop"]

    /// Understands a `color` request.
    init(_ fields: RequestFields) throws(RequestError) {
        self.init(
            path: try PictureLocation.path(in: fields),
            sampling: try fields.sampling(),
            backdrop: try fields.color("backdrop"),
            regions: try RegionRectangle.named(in: fields),
            average: try fields.average(),
            contrast: try fields.contrast())
    }
}
