/// What a request calls itself, so that its reply can say which question it answers.
///
/// A request without one gets a reply without one; that case is `nil` wherever an identifier is
/// optional.
public enum RequestID: Hashable, Sendable {
    /// A whole number of 64 bits, echoed digit for digit.
    case integer(Int64)
    /// A string of at most `Limits.idBytes` bytes.
    case string(String)
    /// An identifier that could not be told, because its line or itself was not understood; `null`
    /// on the wire.
    case unknown
}
