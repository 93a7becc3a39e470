public import UndertoneColor

/// What a child says of its picture, in the one `write` that it makes.
public enum DecodeReport: Equatable, Sendable {
    /// The picture was decoded.
    case summary(ImageSummary)
    /// It was not, and why.
    case failure(RequestError)
    /// Its format needs the wide profile; nothing was decoded.
    case needsWideProfile
}
