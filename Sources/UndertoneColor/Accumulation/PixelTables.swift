/// What the accumulator looks up by an eight-bit value, in fixed point.
///
/// Made once and never freed, so that the pointers stay valid.
@safe struct PixelTables: @unchecked Sendable {
    /// What linear light is multiplied with.
    static let lightScale = Double(1 << 30)
    /// What luminance is multiplied with in a key: just below 2^40, so that three rounded entries
    /// fit 40 bits.
    static let luminanceScale = 1_099_511_627_770.0

    /// The last eight-bit value of the curve's straight branch.
    private static let knee = 10

    /// The tables.
    static let shared = PixelTables()

    /// The linear light of v/16, where v is a 12-bit value, times `lightScale`. Finer values are
    /// rounded to these, which moves no pixel by more than 1/32 of an eight-bit step.
    let light: UnsafePointer<Int32>
    /// Three times 256 entries, for red, green and blue: the channel's share of the luminance times
    /// `luminanceScale` in the upper 40 bits, and the value in its place of 0xrrggbb in the lower
    /// 24. The sum of a colour's three entries is its *key*, which orders colours by luminance.
    let keys: UnsafePointer<UInt64>

    private init() {
        let light = UnsafeMutablePointer<Int32>.allocate(capacity: 4096)
        unsafe light.initialize(repeating: Int32(Self.lightScale), count: 4096)
        let keys = UnsafeMutablePointer<UInt64>.allocate(capacity: 3 * 256)
        for value in 0..<256 {
            let linear = TransferFunction.linear[value]
            unsafe light[value << 4] = Int32((linear * Self.lightScale).rounded())
            for channel in 0..<3 {
                let share = linear * Luminance.weights[channel] * Self.luminanceScale
                unsafe keys[channel << 8 | value] =
                    UInt64(share.rounded()) << 24 | UInt64(value) << (16 - 8 * channel)
            }
        }
        for value in 0..<255 {
            let (start, end) = (TransferFunction.linear[value], TransferFunction.linear[value + 1])
            let (startSlope, endSlope) = (Self.slope(value), Self.slope(value + 1))
            // The cubic with the curve's own slopes at both ends: within 1e-9 of the curve, but
            // where its two branches meet.
            let quadratic = 3 * (end - start) - 2 * startSlope - endSlope
            let cubic = startSlope + endSlope - 2 * (end - start)
            for sixteenth in 1..<16 {
                let part = Double(sixteenth) / 16
                let linear =
                    value == Self.knee
                    ? TransferFunction.decode((Double(value) + part) / 255)
                    : start + part * (startSlope + part * (quadratic + part * cubic))
                unsafe light[value << 4 | sixteenth] = Int32((linear * Self.lightScale).rounded())
            }
        }
        unsafe self.light = UnsafePointer(light)
        unsafe self.keys = UnsafePointer(keys)
    }

    /// What the next eight-bit step adds to the linear light, going by the curve's slope.
    private static func slope(_ value: Int) -> Double {
        let encoded = Double(value) / 255
        if encoded <= 0.04045 { return 1 / 12.92 / 255 }
        return 2.4 * TransferFunction.linear[value] / (encoded + 0.055) / 255
    }

    /// A pixel's linear light times `lightScale`; the last lane means nothing.
    @inline(__always)
    func light(_ pixel: SamplePixel) -> SIMD4<Int32> {
        let index = (pixel &+ 8) &>> 4
        return unsafe SIMD4(
            light[Int(index.x)], light[Int(index.y)], light[Int(index.z)], 0)
    }

    /// The key of a colour packed as 0xrrggbb.
    @inline(__always)
    func key(_ color: UInt32) -> UInt64 {
        key(color &>> 16 & 255, color &>> 8 & 255, color & 255)
    }

    /// The key of a colour of red, green and blue, each at most 255.
    @inline(__always)
    func key(_ red: UInt32, _ green: UInt32, _ blue: UInt32) -> UInt64 {
        let (red, green, blue) = unsafe (
            keys[Int(red)], keys[256 &+ Int(green)], keys[512 &+ Int(blue)]
        )
        return red &+ green &+ blue
    }
}
