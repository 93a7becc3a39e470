@testable import UndertoneColor

extension AreaSummary {
    /// Sums up pixels in one row.
    init(of pixels: [SamplePixel], weights: [UInt16]? = nil, backdrop: RGB8? = nil) {
        var accumulator = AreaAccumulator(backdrop: backdrop)
        unsafe pixels.withUnsafeBufferPointer { pixels in
            if let weights {
                unsafe weights.withUnsafeBufferPointer { weights in
                    unsafe accumulator.add(pixels, weights: weights)
                }
            } else {
                unsafe accumulator.add(pixels, weights: nil)
            }
        }
        self = accumulator.summary()
    }

    /// Sums up opaque colours.
    init(of colors: [RGB8], backdrop: RGB8? = nil) {
        self.init(of: colors.map { SamplePixel($0) }, backdrop: backdrop)
    }
}

extension SamplePixel {
    /// A pixel of an eight-bit colour and alpha.
    init(_ color: RGB8, alpha: UInt8 = 255) {
        self.init(
            UInt16(color.red) << 8, UInt16(color.green) << 8, UInt16(color.blue) << 8,
            UInt16(alpha) << 8)
    }
}
