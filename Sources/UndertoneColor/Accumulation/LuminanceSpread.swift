/// The occupied bins of a histogram, in which ranks are looked up.
struct LuminanceSpread {
    /// The summed weight of some pixels and the sum of their luminances times their weights.
    struct Bin {
        var weight: UInt64
        var sum: UInt128

        /// The mean luminance. A common factor of weight and sum does not change one bit of it, so
        /// that it does not matter whether pixels are counted, or weighed by area or by alpha.
        var mean: Double {
            Double(UInt64(sum * 16 / UInt128(weight))) / PixelTables.luminanceScale
        }
    }

    /// The bins in ascending order, at least one.
    private let bins: [Bin]
    private let total: UInt64

    init(bins: [Bin]) {
        self.bins = bins
        total = bins.reduce(0) { $0 + $1.weight }
    }

    /// The luminances at ascending ranks, by nearest rank: at `rank`/`denominator` is the first
    /// pixel with which the weight so far reaches that share of the total.
    func luminances(atRanks ranks: [Int], of denominator: Int) -> [Double] {
        var result: [Double] = []
        result.reserveCapacity(ranks.count)
        var index = 0
        var reached = bins[0].weight
        var mean = bins[0].mean
        for rank in ranks {
            let product = total.multipliedFullWidth(by: UInt64(rank))
            let (quotient, remainder) = UInt64(denominator).dividingFullWidth(product)
            let wanted = quotient + (remainder > 0 ? 1 : 0)
            if reached < wanted {
                while reached < wanted {
                    index += 1
                    reached += bins[index].weight
                }
                mean = bins[index].mean
            }
            result.append(mean)
        }
        return result
    }

    /// The luminances at the ranks (i + ½)/256, on the sRGB curve in 1/65535 steps.
    func quantiles() -> [UInt16] {
        let count = AreaSummary.quantileCount
        return luminances(atRanks: (0..<count).map { 2 * $0 + 1 }, of: 2 * count).map {
            UInt16((TransferFunction.encode($0) * 65535).rounded())
        }
    }

    /// The percentiles, between extremes and around a mean that are known from elsewhere.
    func statistics(_ keys: KeyRange, mean: Double) -> LuminanceStatistics {
        // The extremes are of eight-bit colours, the mean of finer values, the percentiles in fixed
        // point: each may be a little outside.
        let range = (keys.darkest.relativeLuminance, keys.lightest.relativeLuminance)
        func within(_ value: Double) -> Double { max(range.0, min(range.1, value)) }
        let ranks = luminances(atRanks: [5, 50, 95], of: 100)
        var statistics = LuminanceStatistics()
        (statistics.min, statistics.max) = range
        statistics.mean = within(mean)
        statistics.p05 = within(ranks[0])
        statistics.p50 = within(ranks[1])
        statistics.p95 = within(ranks[2])
        return statistics
    }
}
