/// The cube roots of four colours' cone responses, as integers.
///
/// OKLab is linear in these roots, so that its mean needs no more than their sums. Only additions,
/// multiplications and shifts in a fixed order: every machine gets the same bits. Neither division
/// nor branch: twelve roots cost some eighty instructions.
struct ConeRoots {
    /// What each lane of `l`, `m` and `s` has too much.
    static let bias: Int32 = 0x4000_0000

    /// The roots in 1/2^22, each divided by its part of `scales`, plus `bias`.
    let l, m, s: SIMD4<Int32>

    /// Takes four colours in linear light times `PixelTables.lightScale`, 2^30.
    @inline(__always)
    init(red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>) {
        // Each response is divided by its largest weight, which saves a multiplication.
        l = Self.root(green + red * Self.l.0 + blue * Self.l.1)
        m = Self.root(green + red * Self.m.0 + blue * Self.m.1)
        s = Self.root(blue + red * Self.s.0 + green * Self.s.1)
    }

    private static let l = (Float(0.4122214708 / 0.5363325363), Float(0.0514459929 / 0.5363325363))
    private static let m = (Float(0.2119034982 / 0.6806995451), Float(0.1073969566 / 0.6806995451))
    private static let s = (Float(0.0883024619 / 0.6299787005), Float(0.2817188376 / 0.6299787005))

    /// What the roots are to be divided by once their bias is gone.
    static let scales =
        Double(1 << 22)
        / SIMD3(Roots.cube(0.5363325363), Roots.cube(0.6806995451), Roots.cube(0.6299787005))

    /// The cube roots, divided by 2^10, of four numbers from 0 to 2^31, within 3e-7, rounded to
    /// integers in 1/2^22.
    @inline(__always)
    private static func root(_ x: SIMD4<Float>) -> SIMD4<Int32> {
        // A bit pattern is nearly a logarithm: minus a third of it gives r, x^(-1/3) within 3.5 %.
        // From 2^29 to 2^30 a Float's last place is 64, so that the sum's bits hold 64ths of it.
        let bits = unsafe unsafeBitCast(x, to: SIMD4<Int32>.self)
        let float = SIMD4(Float(bits.x), Float(bits.y), Float(bits.z), Float(bits.w))
        let third = float * Float(-1.0 / 3) + 1_073_741_824
        let sixtyFourths = unsafe unsafeBitCast(third, to: SIMD4<Int32>.self)
        let start = sixtyFourths &<< 6 &+ (0x54a1_f000 &- 0x4e80_0000 &<< 6)
        let r = unsafe unsafeBitCast(start, to: SIMD4<Float>.self)
        // x^(1/3) = x·r²·(1 - h)^(-2/3) with h = 1 - x·r³, which is within ±0.103; the power by the
        // polynomial of the fourth degree whose largest relative error there is the smallest.
        let xr = x * r
        let h = 1 - xr * (r * r)
        let scale = Float(1.0 / 1024)
        var power = h * (0.459_251_18 * scale) + 0.499_380_13 * scale
        power = power * h + 0.555_529_85 * scale
        power = power * h + 0.666_652_17 * scale
        power = power * h + scale
        // From 2 to 4 a Float's last place is 2^-22: the sum's bits are the rounded integer.
        let sum = xr * r * power + 2
        return unsafe unsafeBitCast(sum, to: SIMD4<Int32>.self)
    }
}
