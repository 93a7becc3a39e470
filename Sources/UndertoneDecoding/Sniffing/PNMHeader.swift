/// The header of a Netpbm picture.
enum PNMHeader {
    /// Whether a byte is one of Netpbm's blanks.
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}
