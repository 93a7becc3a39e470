extension RGB8 {
    /// The colour moved `step`/255 of the way to another, per channel in encoded sRGB, rounded.
    ///
    /// - Parameter step: 0…255; 0 is this colour, 255 the other.
    public func mixed(towards other: RGB8, _ step: Int) -> RGB8 {
        func mix(_ from: UInt8, _ to: UInt8) -> UInt8 {
            // 255 is odd, so that no quotient is half-way between two integers.
            UInt8((Int(from) * (255 - step) + Int(to) * step + 127) / 255)
        }
        return RGB8(
            red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }
}

extension RGB8 {
    /// The eight-bit composite of this colour on an opaque one, halves rounded up.
    ///
    /// - Parameter alpha: As in a `SamplePixel`, 0…65280.
    @inline(__always)
    func composited(alpha: UInt16, on backdrop: RGB8) -> RGB8 {
        let alpha = UInt32(alpha)
        @inline(__always)
        func mix(_ over: UInt8, _ under: UInt8) -> UInt8 {
            let opaque = UInt32(SamplePixel.opaque)
            let sum = UInt32(over) &* alpha &+ UInt32(under) &* (opaque &- alpha)
            return UInt8(truncatingIfNeeded: (sum &+ opaque / 2) / opaque)
        }
        return RGB8(
            red: mix(red, backdrop.red), green: mix(green, backdrop.green),
            blue: mix(blue, backdrop.blue))
    }
}
