/// A pixel of the sample: red, green, blue and alpha, straight (not premultiplied), each as
/// 256 times the encoded eight-bit value, 0…65280.
///
/// The eight extra bits hold what area-averaging leaves over. The eight-bit value is
/// `(v + 128) >> 8`. A pixel of alpha 0 counts for nothing, whatever its colour.
public typealias SamplePixel = SIMD4<UInt16>
