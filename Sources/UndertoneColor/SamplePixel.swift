/// A pixel of the sample: red, green, blue and alpha, straight (not premultiplied), each as
/// 256 times the encoded eight-bit value, 0…65280.
///
/// The eight extra bits hold what area-averaging leaves over. The eight-bit value is
/// `(v + 128) >> 8`. A pixel of alpha 0 counts for nothing, whatever its colour.
public typealias SamplePixel = SIMD4<UInt16>

extension SamplePixel {
    /// The alpha of a pixel through which nothing shines.
    static var opaque: UInt16 { 65280 }
}

extension RGB8 {
    /// The eight-bit colour of a pixel, halves rounded up, whatever its alpha.
    @inline(__always)
    init(_ pixel: SamplePixel) {
        let rounded = (pixel &+ 128) &>> 8
        self.init(
            red: UInt8(truncatingIfNeeded: rounded.x), green: UInt8(truncatingIfNeeded: rounded.y),
            blue: UInt8(truncatingIfNeeded: rounded.z))
    }
}
