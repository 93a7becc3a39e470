import UndertoneProtocol

/// A region of the picture as displayed, laid over the stored pixels' columns and rows.
struct StoredRegion: Equatable {
    /// What the region covers along each stored axis.
    let columns, rows: RegionSpan

    /// Maps a region, or the whole picture, to a grid of stored pixels.
    init(_ region: RegionRectangle, in size: PixelSize, orientation: Orientation) {
        let displayed = orientation.turned(size)
        let across = RegionSpan(from: region.x, length: region.width, of: displayed.width)
        let down = RegionSpan(from: region.y, length: region.height, of: displayed.height)
        let columns = orientation.isTransposed ? down : across
        let rows = orientation.isTransposed ? across : down
        self.columns = orientation.reversesColumns ? columns.reversed() : columns
        self.rows = orientation.reversesRows ? rows.reversed() : rows
    }
}

extension RegionRectangle {
    /// The whole picture.
    static let picture = RegionRectangle(x: 0, y: 0, width: 1, height: 1)
}

/// The part of one axis that a region covers.
struct RegionSpan: Equatable {
    /// The edges in 1/256 of a pixel, rounded to even so that mirrored regions have mirrored edges.
    private let start, end: Int
    /// The pixels along the axis.
    private let count: Int
    /// The pixels whose centres are inside, or else the one nearest the middle.
    let pixels: Range<Int>

    /// Maps a fraction of an axis to its pixels.
    init(from position: Double, length: Double, of count: Int) {
        let units = count * 256
        func edge(_ fraction: Double) -> Int {
            // Nor is a value that is not a number above 0.
            guard fraction > 0 else { return 0 }
            if fraction >= 1 { return units }
            return Int((fraction * Double(units)).rounded(.toNearestOrEven))
        }
        let start = edge(position)
        let end = max(edge(position + length), start)
        // The centre of pixel i is at 256 i + 128.
        let first = (start + 127) / 256
        let past = (end + 127) / 256
        let middle = min((start + end) / 512, count - 1)
        self.init(
            start: start, end: end, count: count,
            pixels: first < past ? first..<past : middle..<middle + 1)
    }

    private init(start: Int, end: Int, count: Int, pixels: Range<Int>) {
        self.start = start
        self.end = end
        self.count = count
        self.pixels = pixels
    }

    /// The same part counted from the axis's other end.
    func reversed() -> RegionSpan {
        RegionSpan(
            start: 256 * count - end, end: 256 * count - start, count: count,
            pixels: count - pixels.upperBound..<count - pixels.lowerBound)
    }

    /// How much of each pixel is covered, 0…256, and not all 0.
    ///
    /// Of a span without extent the pixel at its place counts, or both where it lies between two.
    func weights() -> [UInt16] {
        var weights = [UInt16](repeating: 0, count: count)
        if start < end {
            for pixel in start / 256...(end - 1) / 256 {
                weights[pixel] = UInt16(min(end, 256 * pixel + 256) - max(start, 256 * pixel))
            }
        } else {
            weights[min(start / 256, count - 1)] = 256
            weights[max((start - 1) / 256, 0)] = 256
        }
        return weights
    }
}
