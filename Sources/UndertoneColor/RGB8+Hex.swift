extension RGB8 {
    /// The colour as it is sent: `#rrggbb`, lower case.
    public var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        var text = [UInt8(ascii: "#")]
        for value in [red, green, blue] {
            text.append(digits[Int(value >> 4)])
            text.append(digits[Int(value & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads `#rrggbb` in either case; nil for anything else, the three-digit form included.
    public init?(hex text: some StringProtocol) {
        self.init(hexBytes: text.utf8)
    }

    /// Reads the bytes of `#rrggbb` in either case; nil for anything else.
    public init?(hexBytes text: some Collection<UInt8>) {
        guard text.count == 7, text.first == UInt8(ascii: "#") else { return nil }
        var value: UInt32 = 0
        for byte in text.dropFirst() {
            guard let digit = Self.digit(byte) else { return nil }
            value = value << 4 | digit
        }
        self.init(packed: value)
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

extension RGB8 {
    /// The colour as one number, 0xrrggbb.
    @inlinable public var packed: UInt32 {
        UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }

    /// Creates a colour from the lower 24 bits of a number, 0xrrggbb.
    @inlinable public init(packed: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: packed >> 16),
            green: UInt8(truncatingIfNeeded: packed >> 8),
            blue: UInt8(truncatingIfNeeded: packed))
    }
}
