import UndertoneColor
import UndertoneProtocol

/// Area summaries and colours of a sample.
struct SampleSummarizer {
    private let sample: Sample
    private let orientation: Orientation
    private let backdrop: RGB8?

    /// Prepares to summarise a sample that is displayed in some orientation.
    init(_ sample: Sample, orientation: Orientation, backdrop: RGB8?) {
        self.sample = sample
        self.orientation = orientation
        self.backdrop = backdrop
    }

    /// Summarises a region; pixels on its edges count by the fraction covered.
    func summarize(_ region: RegionRectangle) -> AreaSummary {
        let stored = StoredRegion(region, in: sample.size, orientation: orientation)
        let columnWeights = stored.columns.weights()
        let rowWeights = stored.rows.weights()
        let isFullWidth = columnWeights.allSatisfy { $0 == 256 }
        var accumulator = AreaAccumulator(backdrop: backdrop)
        unsafe sample.forEachRow(where: { rowWeights[$0] > 0 }) { y, row in
            let rowWeight = Self.product(rowWeights[y], sample.knownRows[y])
            if isFullWidth, rowWeight == 256 {
                unsafe accumulator.add(row, weights: nil)
                return
            }
            let weights = columnWeights.map { Self.product($0, rowWeight) }
            unsafe weights.withUnsafeBufferPointer { unsafe accumulator.add(row, weights: $0) }
        }
        return accumulator.summary()
    }

    /// The picture's colours; of an incomplete picture, those of the rows that are known.
    func clusters() -> [ColorCluster] {
        var clusterer = ColorClusterer()
        unsafe sample.forEachRow { _, row in unsafe clusterer.add(row) }
        return clusterer.finish()
    }

    /// The product of two weights in 1/256; of two that are above 0 it is above 0.
    private static func product(_ one: UInt16, _ other: UInt16) -> UInt16 {
        if one == 0 || other == 0 { return 0 }
        return UInt16(max(1, (Int(one) * Int(other) + 128) / 256))
    }
}
