internal import UndertoneColor

/// Summaries of pixels, made as the decoder makes them.
enum SampleSummaries {
    static let transparent = summary(of: [.zero], backdrop: nil, regions: 0)

    /// A picture of many colours, some of them translucent.
    static func gradient(regions: Int) -> ImageSummary {
        let pixels = (0..<400).map { index in
            let red = UInt16(index % 20 * 13)
            let green = UInt16(index / 20 * 13)
            return SamplePixel(red, green, 255 - red, index < 40 ? UInt16(index * 6) : 255) &* 256
        }
        return summary(of: pixels, backdrop: nil, regions: regions)
    }

    /// Reduces pixels; each region is what remains without the first pixels.
    static func summary(
        of pixels: [SamplePixel], backdrop: RGB8?, regions: Int
    ) -> ImageSummary {
        var clusterer = ColorClusterer()
        unsafe pixels.withUnsafeBufferPointer { unsafe clusterer.add($0) }
        let identity = FileIdentity(device: 1, inode: 2, size: 3, modified: 4, changed: 5)
        return ImageSummary(
            image: ImageFacts(
                width: pixels.count, height: 1, format: .png, orientation: 1, profile: .none,
                complete: true, sampling: .auto),
            identityBefore: identity, identityAfter: identity,
            picture: area(of: pixels, backdrop: backdrop),
            regions: (0..<regions).map { index in
                area(of: Array(pixels.dropFirst(index + 1)), backdrop: backdrop)
            },
            clusters: clusterer.finish())
    }

    private static func area(of pixels: [SamplePixel], backdrop: RGB8?) -> AreaSummary {
        var accumulator = AreaAccumulator(backdrop: backdrop)
        unsafe pixels.withUnsafeBufferPointer { unsafe accumulator.add($0, weights: nil) }
        return accumulator.summary()
    }
}
