import UndertoneColor
import UndertoneProtocol

/// Area summaries and colours of every pixel of a picture.
struct ExactSummarizer {
    private let picture: DecodedPicture
    private let backdrop: RGB8?

    /// Prepares to stream a decoded picture.
    init(_ picture: DecodedPicture, backdrop: RGB8?) {
        self.picture = picture
        self.backdrop = backdrop
    }

    /// Summarises regions in one pass; a region's pixels are those whose centre is inside.
    func summarize(_ regions: [RegionRectangle]) -> [AreaSummary] {
        let areas = regions.map { region in
            let size = picture.pixbuf.size
            return Area(
                StoredRegion(region, in: size, orientation: picture.orientation), backdrop)
        }
        let width = picture.pixbuf.size.width
        var pixels = [SamplePixel](repeating: SamplePixel(), count: width)
        unsafe pixels.withUnsafeMutableBufferPointer { pixels in
            for row in 0..<picture.pixbuf.size.height where picture.isKnown(row) {
                unsafe widen(row, into: pixels)
                for area in areas where area.region.rows.pixels.contains(row) {
                    unsafe area.accumulator?.add(
                        UnsafeBufferPointer(rebasing: pixels[area.region.columns.pixels]),
                        weights: nil)
                }
            }
        }
        return areas.map { $0.finish() }
    }

    /// The picture's colours; of an incomplete picture, those of the rows that are known.
    func clusters() -> [ColorCluster] {
        var clusterer = ColorClusterer()
        var pixels = [SamplePixel](repeating: SamplePixel(), count: picture.pixbuf.size.width)
        unsafe pixels.withUnsafeMutableBufferPointer { pixels in
            for row in 0..<picture.pixbuf.size.height where picture.isKnown(row) {
                unsafe widen(row, into: pixels)
                unsafe clusterer.add(UnsafeBufferPointer(pixels))
            }
        }
        return clusterer.finish()
    }

    private func widen(_ row: Int, into pixels: UnsafeMutableBufferPointer<SamplePixel>) {
        let bytes = unsafe picture.pixbuf.row(row)
        let channels = picture.pixbuf.channels
        for index in 0..<pixels.count {
            let offset = index * channels
            let alpha = channels == 4 ? unsafe bytes[offset + 3] : 255
            unsafe pixels[index] =
                SamplePixel(
                    UInt16(bytes[offset]), UInt16(bytes[offset + 1]), UInt16(bytes[offset + 2]),
                    UInt16(alpha)) &<< 8
        }
    }

    /// A region with its sums: an accumulator, which is not copyable, where an array can hold it.
    private final class Area {
        let region: StoredRegion
        var accumulator: AreaAccumulator?

        init(_ region: StoredRegion, _ backdrop: RGB8?) {
            self.region = region
            accumulator = AreaAccumulator(backdrop: backdrop)
        }

        func finish() -> AreaSummary {
            accumulator.take()?.summary() ?? AreaSummary()
        }
    }
}
