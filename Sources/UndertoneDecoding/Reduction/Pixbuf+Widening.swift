import UndertoneColor

extension Pixbuf {
    /// Writes a row's pixels as those of a sample, one for one; what cannot be seen has no color.
    ///
    /// - Parameter pixels: Room for all pixels of the row.
    func widen(row: Int, into pixels: UnsafeMutableBufferPointer<SamplePixel>) {
        precondition(pixels.count == size.width)
        let bytes = unsafe self.row(row)
        let start = UnsafeRawPointer(bytes.baseAddress!)
        if channels == 3 {
            // Each four bytes hold a pixel and the beginning of the next one, which becomes alpha.
            for index in 0..<pixels.count &- 1 {
                let four = unsafe (start + 3 &* index).loadUnaligned(as: UInt32.self)
                unsafe pixels[index] = Self.widened(four.littleEndian | 0xff00_0000)
            }
            let last = unsafe bytes.suffix(3).reversed().reduce(0xff) { $0 << 8 | UInt32($1) }
            unsafe pixels[pixels.count - 1] = Self.widened(last)
            return
        }
        for index in 0..<pixels.count {
            let four = unsafe (start + 4 &* index).loadUnaligned(as: UInt32.self).littleEndian
            unsafe pixels[index] = four >> 24 == 0 ? SamplePixel() : Self.widened(four)
        }
    }

    /// Red, green, blue and alpha, from the lowest byte to the highest, each 256 times its value.
    @inline(__always)
    private static func widened(_ pixel: UInt32) -> SamplePixel {
        let four = unsafe unsafeBitCast(pixel.littleEndian, to: SIMD4<UInt8>.self)
        return SamplePixel(truncatingIfNeeded: four) &<< 8
    }
}
