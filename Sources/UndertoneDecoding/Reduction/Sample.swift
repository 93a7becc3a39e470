import UndertoneColor

/// A picture reduced to at most 480 × 480 pixels, as stored: not turned.
struct Sample {
    /// The size in sample pixels.
    let size: PixelSize
    /// How much of each row of pixels is known, 0…256.
    let knownRows: [UInt16]
    private let source: Source

    private enum Source {
        /// Row by row, `size.width` a row.
        case pixels([SamplePixel])
        /// A picture's own, which are made a sample's for each pass anew: to find memory for all of
        /// them at once would take several times as long.
        case picture(Pixbuf)
    }

    /// Takes pixels, row by row.
    init(size: PixelSize, pixels: [SamplePixel], knownRows: [UInt16]) {
        self.size = size
        self.knownRows = knownRows
        source = .pixels(pixels)
    }

    /// Takes a picture that is no larger than a sample, pixel by pixel: each is a cell's only one.
    init(_ pixbuf: Pixbuf, isKnown: (Int) -> Bool) {
        size = pixbuf.size
        knownRows = (0..<pixbuf.size.height).map { isKnown($0) ? 256 : 0 }
        source = .picture(pixbuf)
    }

    /// Calls a function with each wanted row of which anything is known, by its number.
    func forEachRow(
        where isWanted: (Int) -> Bool = { _ in true },
        _ body: (Int, UnsafeBufferPointer<SamplePixel>) -> Void
    ) {
        let width = size.width
        switch source {
        case .pixels(let pixels):
            unsafe pixels.withUnsafeBufferPointer { pixels in
                for y in knownRows.indices where knownRows[y] > 0 && isWanted(y) {
                    let row = y * width..<(y + 1) * width
                    unsafe body(y, UnsafeBufferPointer(rebasing: pixels[row]))
                }
            }
        case .picture(let pixbuf):
            var row = [SamplePixel](repeating: SamplePixel(), count: width)
            unsafe row.withUnsafeMutableBufferPointer { row in
                for y in knownRows.indices where knownRows[y] > 0 && isWanted(y) {
                    unsafe pixbuf.widen(row: y, into: row)
                    unsafe body(y, UnsafeBufferPointer(row))
                }
            }
        }
    }
}
