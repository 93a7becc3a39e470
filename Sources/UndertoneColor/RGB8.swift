/// An opaque sRGB colour of eight bits a channel, as it is sent.
public struct RGB8: Hashable, Sendable {
    /// The encoded red, green and blue values, 0…255 each.
    public var red, green, blue: UInt8

    /// Creates a colour from its encoded values.
    @inlinable public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Black, the darker of the two text colours.
    public static let black = RGB8(red: 0, green: 0, blue: 0)
    /// White, the lighter of the two text colours.
    public static let white = RGB8(red: 255, green: 255, blue: 255)
}
