/// A picture's few most telling colours.
public struct ColorPalette: Equatable, Sendable {
    /// A colour of the picture, with what can be read on it.
    public struct Entry: Equatable, Sendable {
        /// The colour: that of a cluster of the picture, never a mixture of different ones.
        public var color: RGB8
        /// The share of the picture that it stands for, in millionths: at least one, and all of
        /// them add up to a million.
        public var millionths: Int
        /// The better of black and white on it.
        public var foreground: ContrastColor
    }

    /// The least deltaE-OK between any two entries, unless the picture has only two colours.
    public static let separation = 0.05
    /// The most entries.
    public static let maximumCount = 32

    /// The colours, most of the picture first.
    public var entries: [Entry]
    /// The most characteristic colour with a hue; nil where the picture has none.
    public var accent: Entry?

    /// Chooses colours from a picture's clusters; nil where nothing of the picture can be seen.
    ///
    /// Clusters closer than `separation` become one, and then as many more as it takes, those first
    /// that least can be told apart, by distance and by the fourth root of their common weight, so
    /// that a small vivid accent outlasts the shades of a large area. What becomes one keeps the
    /// colour of the heavier. The accent is the same for every count, and one of the entries for
    /// any above 1.
    ///
    /// - Parameters:
    ///   - clusters: The clusters of an `ImageSummary`.
    ///   - count: The most entries, 1…`maximumCount`.
    ///   - target: The contrast ratio that foregrounds are to reach, 1…21.
    public init?(_ clusters: [ColorCluster], count: Int, target: Double) {
        guard !clusters.isEmpty else { return nil }
        var groups = clusters.map(Group.init)
        let isOfTwoColors = clusters.count <= 2 && clusters.allSatisfy(\.isOneColor)
        if !isOfTwoColors { Group.merge(&groups) { $0 < Self.separation * Self.separation } }
        func entry(_ group: Group, _ millionths: Int) -> Entry {
            Entry(
                color: group.color, millionths: millionths,
                foreground: .foreground(on: group.color, target: target))
        }
        let total = groups.reduce(0) { $0 + $1.weight }
        let accented = groups.filter { $0.isAccent }.max { $0.character < $1.character }
        let limit = max(1, min(count, Self.maximumCount))
        while groups.count > limit {
            Group.mergeNearest(&groups, keeping: groups.count > 2 ? accented?.color : nil)
        }
        groups.sort { ($1.weight, $0.color.packed) < ($0.weight, $1.color.packed) }
        let shares = Self.millionths(of: groups.map { $0.weight / total })
        entries = zip(groups, shares).map(entry)
        accent = accented.map { group in
            // The same colour has the same share in both places.
            let same = zip(groups, shares).first { $0.0.color == group.color }
            return entry(
                group, same?.1 ?? max(1, Int((group.weight / total * 1_000_000).rounded())))
        }
    }

    /// Rounds shares that add up to 1, the largest first, to whole millionths that add up to a
    /// million: those with the largest remainders are rounded up, and none to nothing.
    private static func millionths(of shares: [Double]) -> [Int] {
        let exact = shares.map { $0 * 1_000_000 }
        var whole = exact.map { max(1, Int($0)) }
        let missing = 1_000_000 - whole.reduce(0, +)
        let byRemainder = exact.indices.sorted { first, second in
            let one = exact[first] - Double(whole[first])
            let other = exact[second] - Double(whole[second])
            return one == other ? first < second : one > other
        }
        for index in byRemainder.prefix(max(0, missing)) { whole[index] += 1 }
        // What the smallest were given is taken from the largest, which stay in order.
        for _ in 0..<max(0, -missing) { whole[whole.lastIndex(of: whole[0])!] -= 1 }
        return whole
    }
}

/// Clusters that became one.
private struct Group {
    var oklab: SIMD3<Double>
    var color: RGB8
    var weight: Double

    init(_ cluster: ColorCluster) {
        color = cluster.color
        oklab = color.oklab
        weight = Double(cluster.weight)
    }

    /// Whether the group has a hue and enough of the picture not to be a stray pixel.
    var isAccent: Bool { !OKLCh(oklab: oklab).isGrey && weight >= 0.001 }

    /// How much the group stands out: chroma counts for far more than area, so that a vivid patch
    /// stands out of a large dull area, and a large vivid area out of specks.
    var character: Double {
        let chroma = OKLCh(oklab: oklab).chroma
        return chroma * chroma.squareRoot() * weight.squareRoot().squareRoot()
    }

    func squaredDistance(_ other: Group) -> Double {
        let difference = oklab - other.oklab
        return (difference * difference).sum()
    }

    /// What is lost if two groups become one: hue and chroma tell colours apart more than
    /// lightness, which shadows change, and of which a picture has three times as much.
    private func loss(_ other: Group) -> Double {
        let common = weight * other.weight / (weight + other.weight)
        let difference = (oklab - other.oklab) * SIMD3(1 / 3.0, 1, 1)
        return (difference * difference).sum() * common.squareRoot()
    }

    /// Makes one of the nearest two as long as their squared distance fulfils a condition.
    static func merge(_ groups: inout [Group], while condition: (Double) -> Bool) {
        while let pair = nearest(groups, by: { $0.squaredDistance($1) }), condition(pair.value) {
            merge(pair.first, pair.second, of: &groups)
        }
    }

    /// Makes one of the two with which least is lost, and does not let a heavier one take in a
    /// certain colour's.
    static func mergeNearest(_ groups: inout [Group], keeping color: RGB8?) {
        let pair = nearest(groups) { first, second in
            let lighter = first.weight < second.weight ? first : second
            return lighter.color == color ? .infinity : first.loss(second)
        }
        if let pair { merge(pair.first, pair.second, of: &groups) }
    }

    private static func nearest(
        _ groups: [Group], by measure: (Group, Group) -> Double
    ) -> (first: Int, second: Int, value: Double)? {
        var result: (first: Int, second: Int, value: Double)?
        for second in groups.indices.dropFirst() {
            for first in 0..<second {
                let value = measure(groups[first], groups[second])
                if value < result?.value ?? .infinity { result = (first, second, value) }
            }
        }
        return result
    }

    private static func merge(_ first: Int, _ second: Int, of groups: inout [Group]) {
        let weight = groups[first].weight + groups[second].weight
        if groups[second].weight > groups[first].weight { groups.swapAt(first, second) }
        groups[first].weight = weight
        groups.remove(at: second)
    }
}
