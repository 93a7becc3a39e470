/// The sRGB transfer function (IEC 61966-2-1, with the threshold 0.04045 of WCAG 2.x).
public enum TransferFunction {
    /// Turns an encoded value, 0…1, into linear light, 0…1.
    public static func decode(_ encoded: Double) -> Double {
        if encoded <= 0.04045 { return encoded / 12.92 }
        // x^2.4 = x² · (x²)^(1/5)
        let base = (encoded + 0.055) / 1.055
        return base * base * Roots.fifth(base * base)
    }

    /// Turns linear light into an encoded value; what lies outside 0…1 is taken as the nearer end.
    public static func encode(_ linear: Double) -> Double {
        if linear <= 0 { return 0 }
        if linear >= 1 { return 1 }
        if linear <= 0.0031308 { return linear * 12.92 }
        // x^(1/2.4) = (x^(1/12))^5
        let twelfth = Roots.cube(linear).squareRoot().squareRoot()
        let square = twelfth * twelfth
        return 1.055 * (square * square * twelfth) - 0.055
    }

    /// The linear light of each eight-bit value.
    public static let linear: [Double] = (0...255).map { decode(Double($0) / 255) }
}
