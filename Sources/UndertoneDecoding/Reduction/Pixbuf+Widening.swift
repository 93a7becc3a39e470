import UndertoneColor

extension Pixbuf {
    /// Writes a row's pixels as those of a sample, one for one; what cannot be seen has no color.
    func widen(row: Int, into pixels: UnsafeMutableBufferPointer<SamplePixel>) {
        let bytes = unsafe UnsafePointer(self.pixels + row * stride)
        if channels == 3 {
            for index in 0..<pixels.count {
                let start = unsafe bytes + 3 * index
                unsafe pixels[index] =
                    SamplePixel(UInt16(start[0]), UInt16(start[1]), UInt16(start[2]), 255) &<< 8
            }
            return
        }
        for index in 0..<pixels.count {
            let start = unsafe bytes + 4 * index
            let pixel = unsafe SamplePixel(
                UInt16(start[0]), UInt16(start[1]), UInt16(start[2]), UInt16(start[3]))
            unsafe pixels[index] = pixel.w == 0 ? SamplePixel() : pixel &<< 8
        }
    }
}
