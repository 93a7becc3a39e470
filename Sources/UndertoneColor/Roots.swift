/// Roots from the four basic operations and the square root alone.
///
/// IEEE 754 rounds each of these correctly, so that every machine gets the same bits. The C
/// library's `pow` and `cbrt` choose an implementation by processor and differ in the last place.
enum Roots {
    /// The cube root of a number that is not negative, to within two units in the last place.
    static func cube(_ x: Double) -> Double {
        guard x > 0 else { return 0 }
        // A third of the bit pattern is a third of the logarithm, near enough for four steps of
        // Newton's method: 3.2 %, then 1e-3, 1e-6, 1e-12 and the last place.
        var y = Double(bitPattern: x.bitPattern / 3 + 0x2a9f_70a3_0000_0000)
        for _ in 0..<4 { y -= (y * y * y - x) / (3 * y * y) }
        return y
    }

    /// The fifth root of a number that is not negative, to within two units in the last place.
    static func fifth(_ x: Double) -> Double {
        guard x > 0 else { return 0 }
        // As above: 3.3 %, then 2e-3, 1e-5, 2e-10 and the last place.
        var y = Double(bitPattern: x.bitPattern / 5 + 0x3325_c432_0000_0000)
        for _ in 0..<4 {
            let square = y * y
            y -= (square * square * y - x) / (5 * square * square)
        }
        return y
    }
}
