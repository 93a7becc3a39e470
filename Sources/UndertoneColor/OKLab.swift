/// Björn Ottosson's OKLab (2020, with the matrices for linear sRGB as corrected in 2021).
public enum OKLab {
    /// Turns linear sRGB, 0…1 a channel, into OKLab: L 0…1, a and b within ±0.5.
    public static func fromLinear(_ color: SIMD3<Double>) -> SIMD3<Double> {
        let l = 0.4122214708 * color.x + 0.5363325363 * color.y + 0.0514459929 * color.z
        let m = 0.2119034982 * color.x + 0.6806995451 * color.y + 0.1073969566 * color.z
        let s = 0.0883024619 * color.x + 0.2817188376 * color.y + 0.6299787005 * color.z
        return fromConeRoots(SIMD3(Roots.cube(l), Roots.cube(m), Roots.cube(s)))
    }

    /// Turns the cube roots of the cone responses into OKLab; linear, so means may be taken before.
    static func fromConeRoots(_ root: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(
            0.2104542553 * root.x + 0.7936177850 * root.y - 0.0040720468 * root.z,
            1.9779984951 * root.x - 2.4285922050 * root.y + 0.4505937099 * root.z,
            0.0259040371 * root.x + 0.7827717662 * root.y - 0.8086757660 * root.z)
    }

    /// Turns OKLab into linear sRGB; colours that sRGB cannot show lie outside 0…1.
    public static func toLinear(_ lab: SIMD3<Double>) -> SIMD3<Double> {
        let l = lab.x + 0.3963377774 * lab.y + 0.2158037573 * lab.z
        let m = lab.x - 0.1055613458 * lab.y - 0.0638541728 * lab.z
        let s = lab.x - 0.0894841775 * lab.y - 1.2914855480 * lab.z
        let (l3, m3, s3) = (l * l * l, m * m * m, s * s * s)
        return SIMD3(
            4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3,
            -1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3,
            -0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3)
    }

    /// The distance deltaE-OK of two colours: Euclidean, black to white is 1.
    public static func distance(_ one: SIMD3<Double>, _ other: SIMD3<Double>) -> Double {
        let difference = one - other
        return (difference * difference).sum().squareRoot()
    }
}

extension RGB8 {
    /// The colour in OKLab: L 0…1, a and b within ±0.5.
    public var oklab: SIMD3<Double> {
        let linear = TransferFunction.linear
        return OKLab.fromLinear(SIMD3(linear[Int(red)], linear[Int(green)], linear[Int(blue)]))
    }

    /// Creates the nearest colour to encoded values, 0…255 a channel, halves rounded up; what lies
    /// outside is taken as the nearer end.
    public init(rounding encoded: SIMD3<Double>) {
        func round(_ value: Double) -> UInt8 { UInt8(max(0, min(255, value + 0.5))) }
        self.init(red: round(encoded.x), green: round(encoded.y), blue: round(encoded.z))
    }

    /// Creates the nearest colour to one in linear light, 0…1 a channel; what lies outside is
    /// taken as the nearer end.
    public init(linear: SIMD3<Double>) {
        self.init(
            rounding: 255
                * SIMD3(
                    TransferFunction.encode(linear.x), TransferFunction.encode(linear.y),
                    TransferFunction.encode(linear.z)))
    }

    /// Creates the nearest colour to one in OKLab; what sRGB cannot show is cut off per channel.
    public init(oklab: SIMD3<Double>) {
        self.init(linear: OKLab.toLinear(oklab))
    }
}
