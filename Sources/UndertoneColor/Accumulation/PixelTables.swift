/// What the accumulator looks up by an eight-bit value, in fixed point.
struct PixelTables: Sendable {
    /// Linear light times 2^30, and its slope for one step of the eight-bit value, times 2^30.
    let linear: [SIMD2<Int32>]
    /// Three times 256 entries, for red, green and blue: the channel's share of the luminance times
    /// `luminanceScale` in the upper 40 bits, and the value in its place of 0xrrggbb in the lower 24.
    /// The sum of a colour's three entries is its `LuminanceKey`.
    let keys: [UInt64]

    /// White's luminance in a key: just below 2^40, so that three rounded entries fit 40 bits.
    static let luminanceScale = 1_099_511_627_770.0

    static let shared = PixelTables()

    private init() {
        linear = (0...255).map { value in
            let encoded = Double(value) / 255
            let slope =
                encoded <= 0.04045
                ? 1 / 12.92 : 2.4 * TransferFunction.linear[value] / (encoded + 0.055)
            let scale = Double(1 << 30)
            return SIMD2(
                Int32((TransferFunction.linear[value] * scale).rounded()),
                Int32((slope / 255 * scale).rounded()))
        }
        keys = (0..<3).flatMap { channel in
            (0...255).map { value in
                let share = TransferFunction.linear[value] * Luminance.weights[channel]
                let luminance = UInt64((share * Self.luminanceScale).rounded())
                return luminance << 24 | UInt64(value) << (16 - 8 * channel)
            }
        }
    }

    /// The key of a colour.
    func key(_ color: RGB8) -> UInt64 {
        keys[Int(color.red)] + keys[256 + Int(color.green)] + keys[512 + Int(color.blue)]
    }
}
