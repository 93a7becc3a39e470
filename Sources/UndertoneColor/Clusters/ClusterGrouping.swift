/// Groups weighted points in OKLab, always in the order in which they are given.
enum ClusterGrouping {
    /// A colour and its weight.
    struct Point {
        var oklab: SIMD3<Float>
        var mass: Double
    }

    /// The most groups.
    static let limit = 64
    /// Colours nearer to a group's first colour than this deltaE-OK never start a group.
    static let separation: Float = 0.025
    /// The passes in which points move to the nearest mean.
    private static let refinements = 2

    /// Groups points by farthest-first traversal, weighted, and Lloyd's method.
    ///
    /// The first centre is the heaviest point; each next one the point whose mass times squared
    /// distance from its nearest centre is the largest, so that a small vivid patch gets a
    /// centre before the shades of a large area do.
    static func group(_ points: [Point]) -> [Point] {
        guard var next = points.indices.max(by: { points[$0].mass < points[$1].mass }) else {
            return []
        }
        var centers: [SIMD3<Float>] = []
        var nearest = [Float](repeating: .infinity, count: points.count)
        while centers.count < limit {
            let center = points[next].oklab
            centers.append(center)
            var most = -1.0
            for index in points.indices {
                let difference = points[index].oklab - center
                nearest[index] = min(nearest[index], (difference * difference).sum())
                let distortion = Double(nearest[index]) * points[index].mass
                if nearest[index] >= separation * separation, distortion > most {
                    (most, next) = (distortion, index)
                }
            }
            if most < 0 { break }
        }
        var groups: [Point] = []
        for _ in 0..<refinements {
            groups = means(points, around: centers)
            centers = groups.map(\.oklab)
        }
        return groups
    }

    private static func means(_ points: [Point], around centers: [SIMD3<Float>]) -> [Point] {
        var sums = [SIMD4<Double>](repeating: SIMD4(), count: centers.count)
        for point in points {
            var best = 0
            var distance = Float.infinity
            for (index, center) in centers.enumerated() {
                let difference = point.oklab - center
                let squared = (difference * difference).sum()
                if squared < distance { (distance, best) = (squared, index) }
            }
            sums[best] += SIMD4(SIMD3<Double>(point.oklab), 1) * point.mass
        }
        return sums.filter { $0.w > 0 }.map { sum in
            Point(
                oklab: SIMD3<Float>(
                    Float(sum.x / sum.w), Float(sum.y / sum.w), Float(sum.z / sum.w)),
                mass: sum.w)
        }
    }

    /// Turns masses into shares, heaviest first; equal ones in the order given.
    static func shares(_ groups: [Point]) -> [ColorCluster] {
        let total = groups.reduce(0) { $0 + $1.mass }
        return groups.enumerated()
            .sorted {
                $0.element.mass != $1.element.mass
                    ? $0.element.mass > $1.element.mass : $0.offset < $1.offset
            }
            .map { ColorCluster(oklab: $0.element.oklab, weight: Float($0.element.mass / total)) }
    }
}
