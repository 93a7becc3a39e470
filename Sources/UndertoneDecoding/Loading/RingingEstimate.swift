import Glibc
import UndertoneColor
import UndertoneProtocol

/// Whether the mean of a JPEG that was decoded at a fraction of its size can be trusted.
///
/// Coding surrounds sharp edges with ripples. Where they pass black or white, decoding at full size
/// cuts them off, pixel by pixel, which moves the mean; decoding at a fraction does not see them.
/// Photographs are moved by less than 0.3 of 255, but pages of text and other line art by up to 7,
/// and so are saturated colors between which only the lightness changes. The weights and bounds
/// here were fitted to pages, screenshots, line art and noise of qualities from 10 to 92, such that
/// what is moved by more than 0.6 is found, and to photographs, of which none is.
struct RingingEstimate {
    /// What the file itself tells.
    struct Coding: Equatable {
        /// The standard deviation of what quantization adds to each pixel, of 255, where all
        /// coefficients of a block are coded.
        var noise: Double
        /// The bits that the file spends on each pixel.
        var bitsPerPixel: Double
    }

    /// One of the cells of 3 × 3 decoded pixels that the picture is looked at in.
    private enum Kind: UInt8 {
        case calm, nearWhite, nearBlack, saturated
    }

    /// Decoded pixels along a cell.
    private static let side = 3
    /// A channel's values within a cell differ by so much where there is an edge.
    private static let edge: UInt8 = 32
    /// The most by which a mean may seem to be moved, of 255.
    private static let tolerance = 0.5
    /// Bits a pixel above those that noise as strong as the quantization's own would take: more
    /// than photographs get, and what fine line art and contrasting noise get.
    private static let busyBits = 6.5
    /// Of such a picture the mean is moved by up to a quarter of the noise.
    private static let busyNoise = 4 * tolerance

    private let coding: Coding
    private let weight: Double
    private let columns, rows: Int
    /// For each channel, the kind of each cell.
    private let kinds: [[Kind]]

    /// Looks at a picture of which each decoded pixel spans `scale` original ones.
    init(_ pixbuf: Pixbuf, scale: Int, coding: Coding) {
        self.coding = coding
        // Of smaller blocks more is cut off by the decoder itself.
        weight = scale == 8 ? 0.3 : scale == 4 ? 0.2 : 0.15
        columns = pixbuf.size.width / Self.side
        rows = pixbuf.size.height / Self.side
        var kinds = [[Kind]](repeating: [], count: 3)
        for channel in 0..<3 { kinds[channel].reserveCapacity(columns * rows) }
        for row in 0..<rows {
            for column in 0..<columns {
                let (least, most) = Self.extremes(pixbuf, column, row)
                let range = most &- least
                let widest = max(range.x, range.y, range.z)
                for channel in 0..<3 {
                    kinds[channel].append(
                        Self.kind(least[channel], most[channel], widestRange: widest))
                }
            }
        }
        self.kinds = kinds
    }

    private static func extremes(
        _ pixbuf: Pixbuf, _ column: Int, _ row: Int
    ) -> (least: SIMD3<UInt8>, most: SIMD3<UInt8>) {
        var least = SIMD3<UInt8>(repeating: 255)
        var most = SIMD3<UInt8>()
        for y in side * row..<side * row + side {
            let start = unsafe pixbuf.pixels + y * pixbuf.stride + side * column * pixbuf.channels
            for x in 0..<side {
                let pixel = unsafe start + x * pixbuf.channels
                let color = unsafe SIMD3(pixel[0], pixel[1], pixel[2])
                least = pointwiseMin(least, color)
                most = pointwiseMax(most, color)
            }
        }
        return (least, most)
    }

    private static func kind(_ least: UInt8, _ most: UInt8, widestRange: UInt8) -> Kind {
        if most - least >= edge {
            return most >= 247 ? .nearWhite : least <= 8 ? .nearBlack : .calm
        }
        let isPinned = least >= 240 || most <= 15
        return isPinned && widestRange >= 2 * edge ? .saturated : .calm
    }

    /// Whether the mean of the picture, or of one of some regions, may be too far from that of
    /// all pixels.
    func isDoubtful(_ regions: [StoredRegion]) -> Bool {
        guard columns > 0, rows > 0, coding.noise > 0 else { return false }
        let isBusy = coding.bitsPerPixel + log2(coding.noise) > Self.busyBits
        if isBusy, coding.noise > Self.busyNoise { return true }
        return regions.contains { estimate($0) > Self.tolerance }
    }

    /// By how much the mean of a region seems to be moved, of 255.
    private func estimate(_ region: StoredRegion) -> Double {
        func cells(_ pixels: Range<Int>, of count: Int) -> Range<Int> {
            let first = min(pixels.lowerBound / Self.side, count - 1)
            return first..<min(max(pixels.upperBound / Self.side, first + 1), count)
        }
        let across = cells(region.columns.pixels, of: columns)
        let down = cells(region.rows.pixels, of: rows)
        var worst = 0.0
        for channel in kinds {
            var counts = SIMD4<Int>()
            for row in down {
                for column in across { counts[Int(channel[row * columns + column].rawValue)] += 1 }
            }
            let shares = SIMD4<Double>(counts) / Double(across.count * down.count)
            let edges = max(
                shares[Int(Kind.nearWhite.rawValue)], shares[Int(Kind.nearBlack.rawValue)])
            worst = max(
                worst, weight * coding.noise * edges, 10 * shares[Int(Kind.saturated.rawValue)])
        }
        return worst
    }
}
