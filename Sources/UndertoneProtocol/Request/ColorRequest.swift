public import UndertoneColor

/// A question for the colours of one picture.
public struct ColorRequest: Hashable, Sendable {
    /// What the decoder has to do: all that a cached answer depends on.
    ///
    /// Its regions are in canonical order and without repetition, so that the same areas are the
    /// same job, whatever a client calls them and in whichever order it names them.
    public var job: DecodeJob
    /// The names of the regions in the order in which they were asked for.
    public var regionNames: [String]
    /// For each name, the index of its area in `job.regions`.
    public var regionIndices: [Int]
    /// Which of the averages is the background.
    public var average: AverageKind
    /// The contrast ratio that text is to reach, 1…21.
    public var contrast: Double

    /// The contrast ratio in force where a client names none: WCAG 2.x, level AA, body text.
    public static let defaultContrast = 4.5

    /// Creates a question about named areas, in any order and with repetitions.
    public init(
        path: [UInt8], sampling: Sampling = .auto, backdrop: RGB8? = nil,
        regions: [(name: String, area: RegionRectangle)] = [], average: AverageKind = .simple,
        contrast: Double = ColorRequest.defaultContrast
    ) {
        let areas = RegionRectangle.canonical(regions.map(\.area))
        job = DecodeJob(path: path, sampling: sampling, backdrop: backdrop, regions: areas)
        regionNames = regions.map(\.name)
        regionIndices = regions.map { region in areas.firstIndex(of: region.area)! }
        self.average = average
        self.contrast = contrast
    }
}

extension RegionRectangle {
    /// Returns the different ones of some areas, sorted by their geometry.
    static func canonical(_ areas: [RegionRectangle]) -> [RegionRectangle] {
        func isBefore(_ a: RegionRectangle, _ b: RegionRectangle) -> Bool {
            (a.x, a.y, a.width, a.height) < (b.x, b.y, b.width, b.height)
        }
        var different: [RegionRectangle] = []
        for area in areas.sorted(by: isBefore) where area != different.last {
            different.append(area)
        }
        return different
    }
}
