/// Why bytes are not an encoded `ImageSummary`.
public struct SummaryFault: Error, Equatable, Sendable {
    /// The first field that is wrong, such as `picture.underWhiteText`.
    public var field: String

    /// Creates a fault.
    public init(_ field: String) {
        self.field = field
    }
}
