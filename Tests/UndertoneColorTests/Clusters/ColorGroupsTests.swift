import Testing

@testable import UndertoneColor

@Suite struct ColorGroupsTests {
    /// Points of every count modulo four, with many equal masses and distances.
    @Test(arguments: [1, 2, 3, 64, 65, 66, 67, 300, 1001])
    func groupsAreThoseOfThePlainMethod(count: Int) {
        var generator = SeededGenerator(UInt64(count))
        var cells: Set<SIMD3<Int>> = []
        while cells.count < count {
            cells.insert(
                SIMD3(
                    Int.random(in: 0..<35, using: &generator),
                    Int.random(in: 0..<24, using: &generator),
                    Int.random(in: 0..<24, using: &generator)))
        }
        let order = cells.sorted { ($0.x, $0.y, $0.z) < ($1.x, $1.y, $1.z) }
        // Each alone in its grid cell, and of a mass that no mean is rounded by.
        let points = order.map { cell in
            let place = SIMD3<Float>(Float(cell.x), Float(cell.y) - 12, Float(cell.z) - 12)
            let mass = Double(1 << Int.random(in: 0..<3, using: &generator))
            return WeightedColor(oklab: (place + 0.5) * 0.03, mass: mass)
        }
        let groups = ColorGroups.group(points)
        let expected = plainGroups(points)
        #expect(groups.map(\.oklab) == expected.map(\.oklab))
        #expect(groups.map(\.mass) == expected.map(\.mass))
    }

    /// Farthest-first traversal from the heaviest point, and Lloyd's method twice.
    private func plainGroups(_ points: [WeightedColor]) -> [WeightedColor] {
        func squared(_ one: WeightedColor, _ other: WeightedColor) -> Float {
            let d = one.oklab - other.oklab
            return d.x * d.x + d.y * d.y + d.z * d.z
        }
        func nearest(_ point: WeightedColor, _ centers: [WeightedColor]) -> Int {
            // Of equally near ones the first.
            centers.indices.min { squared(point, centers[$0]) < squared(point, centers[$1]) }!
        }
        func means(_ centers: [WeightedColor]) -> [WeightedColor] {
            let chosen = points.map { nearest($0, centers) }
            return centers.indices.compactMap { center in
                let members = points.indices.filter { chosen[$0] == center }.map { points[$0] }
                let mass = members.reduce(0) { $0 + $1.mass }
                let sum = members.reduce(SIMD3<Double>()) {
                    $0 + SIMD3<Double>($1.oklab) * $1.mass
                }
                return mass > 0
                    ? WeightedColor(oklab: SIMD3<Float>(sum / mass), mass: mass) : nil
            }
        }
        // The last of the heaviest, and the first of the farthest.
        var next = points.indices.max { points[$0].mass < points[$1].mass }
        var centers: [WeightedColor] = []
        while let found = next, centers.count < ColorGroups.limit {
            centers.append(points[found])
            var most: Float = 0
            next = nil
            for (index, point) in points.enumerated() {
                let distance = squared(point, centers[nearest(point, centers)])
                guard distance >= ColorGroups.separation * ColorGroups.separation else { continue }
                if distance * Float(point.mass) > most {
                    (most, next) = (distance * Float(point.mass), index)
                }
            }
        }
        return means(means(centers))
    }
}
