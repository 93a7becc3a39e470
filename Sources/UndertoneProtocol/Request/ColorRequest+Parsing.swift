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
            backdrop: try ColorRequest.backdrop(in: fields),
            regions: try RegionRectangle.named(in: fields),
            average: try fields.choice("average", of: AverageKind.named) ?? .simple,
            contrast: try fields.number("contrast", in: 1...21) ?? ColorRequest.defaultContrast)
    }

    private static func backdrop(in fields: RequestFields) throws(RequestError) -> RGB8? {
        guard let value = fields["backdrop"] else { return nil }
        guard case .string(let bytes) = value, let color = RGB8(hexadecimal: bytes) else {
            throw .invalid("backdrop must be a color like \"#1e90ff\"")
        }
        return color
    }
}

extension RGB8 {
    /// Reads `#rrggbb`, in letters of either case.
    init?(hexadecimal text: [UInt8]) {
        guard text.count == 7, text[0] == UInt8(ascii: "#") else { return nil }
        var value: UInt32 = 0
        for byte in text[1...] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                return nil
            }
            value = value << 4 | UInt32(digit)
        }
        self.init(
            red: UInt8(truncatingIfNeeded: value >> 16),
            green: UInt8(truncatingIfNeeded: value >> 8),
            blue: UInt8(truncatingIfNeeded: value))
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
