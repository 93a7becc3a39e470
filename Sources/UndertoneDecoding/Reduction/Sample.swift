import UndertoneColor

/// A picture reduced to at most 480 × 480 pixels, as stored: not turned.
struct Sample: Equatable {
    /// The size in sample pixels.
    var size: PixelSize
    /// The pixels, row by row, `size.width` a row.
    var pixels: [SamplePixel]
    /// How much of each row of pixels is known, 0…256.
    var knownRows: [UInt16]
}
