extension JSONWriter {
    /// Where a number goes that has more digits than are written.
    public enum Rounding: Sendable {
        /// To the nearest, for what is merely told.
        case nearest
        /// Towards zero, for what must not seem to reach a target that it misses.
        case down
        /// Away from zero, for what must suffice when it is used.
        case up
    }

    /// Powers of ten that are exact in binary.
    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18,
    ]

    /// Writes a whole number.
    public mutating func value(_ number: some BinaryInteger) {
        if number < 0 { byte("-") }
        digits(UInt64(number.magnitude))
    }

    /// Writes a number with at most six significant digits, a `.` and no exponent.
    ///
    /// From a million on it is written whole. What is smaller than any written number is 0, or
    /// 10⁻¹⁸ if rounded up. What is not finite, or has more than 15 digits, has no place in a reply
    /// and becomes `null`.
    public mutating func value(_ number: Double, _ rounding: Rounding = .nearest) {
        let magnitude = number.magnitude
        guard magnitude < 1e15 else { return null() }
        let powers = JSONWriter.powers
        var places = magnitude < 1e5 ? 5 : 0
        while places < powers.count - 1, magnitude * powers[places] < 1e5 { places += 1 }
        while places > 0, magnitude * powers[places] >= 1e6 { places -= 1 }
        let count = JSONWriter.count(of: magnitude, in: powers[places], rounding)
        if number < 0, count > 0 { byte("-") }
        fixed(count, in: UInt64(powers[places]))
    }

    /// Returns how many units of `1 / power` a number is, rounded as told.
    ///
    /// The division is of exact numbers, and so gives the very number that a reader of the written
    /// digits gets: it is that one that must not lie on the wrong side.
    private static func count(
        of magnitude: Double, in power: Double, _ rounding: Rounding
    ) -> UInt64 {
        var count = (magnitude * power).rounded()
        switch rounding {
        case .nearest: break
        case .down: if count / power > magnitude { count -= 1 }
        case .up: if count / power < magnitude { count += 1 }
        }
        return UInt64(count)
    }

    private mutating func fixed(_ count: UInt64, in power: UInt64) {
        digits(count / power)
        var rest = count % power
        if rest == 0 { return }
        byte(".")
        var place = power / 10
        while rest > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(rest / place))
            rest %= place
            place /= 10
        }
    }

    private mutating func digits(_ number: UInt64) {
        var power: UInt64 = 1
        while number / power >= 10 { power *= 10 }
        while power > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(number / power % 10))
            power /= 10
        }
    }
}
