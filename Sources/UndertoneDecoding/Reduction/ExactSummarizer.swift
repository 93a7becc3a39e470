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
                unsafe picture.pixbuf.widen(row: row, into: pixels)
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
                unsafe picture.pixbuf.widen(row: row, into: pixels)
                unsafe clusterer.add(UnsafeBufferPointer(pixels))
            }
        }
        return clusterer.finish()
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
