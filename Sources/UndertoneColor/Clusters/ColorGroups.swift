/// Groups weighted colours in OKLab, always in the order in which they are given.
enum ColorGroups {
    /// The most groups.
    static let limit = 64
    /// No group starts nearer to another one's first colour than this deltaE-OK.
    static let separation: Float = 0.025
    /// How often the means of the colours that are nearest to each centre are taken.
    private static let refinements = 2

    /// Groups colours by weighted farthest-first traversal and Lloyd's method.
    ///
    /// The first centre is the heaviest colour; each next one that whose mass times squared
    /// distance from its nearest centre is the largest, so that a small vivid patch gets a centre
    /// before the shades of a large area do.
    static func group(_ colors: [WeightedColor]) -> [WeightedColor] {
        let points = ColorGrid.gather(colors)
        guard var next = points.indices.max(by: { points[$0].mass < points[$1].mass }) else {
            return []
        }
        var assignment = Assignment(points)
        var count = 0
        while count < limit {
            assignment.offer(points[next].oklab, as: count)
            count += 1
            guard let farthest = assignment.farthest(beyond: separation) else { break }
            next = farthest
        }
        var groups = assignment.means(points, count)
        for _ in 1..<refinements {
            assignment = Assignment(points)
            for (index, group) in groups.enumerated() {
                assignment.offer(group.oklab, as: index)
            }
            groups = assignment.means(points, groups.count)
        }
        return groups
    }

    /// Turns masses into shares, heaviest first; equal ones in the order given.
    static func shares(_ groups: [WeightedColor]) -> [ColorCluster] {
        let total = groups.reduce(0) { $0 + $1.mass }
        let order = groups.indices.sorted {
            (groups[$1].mass, $0) < (groups[$0].mass, $1)
        }
        return order.map {
            ColorCluster(oklab: groups[$0].oklab, weight: Float(groups[$0].mass / total))
        }
    }
}

/// The nearest of some centres to each of some points.
@safe private struct Assignment: ~Copyable {
    private let count: Int
    // One plane per quantity, so that four points are looked at at a time.
    private let l, a, b, mass, distance: ZeroedBuffer<Float>
    private let center: ZeroedBuffer<Int32>

    init(_ points: [WeightedColor]) {
        count = points.count
        l = ZeroedBuffer(count: count)
        a = ZeroedBuffer(count: count)
        b = ZeroedBuffer(count: count)
        mass = ZeroedBuffer(count: count)
        distance = ZeroedBuffer(count: count)
        center = ZeroedBuffer(count: count)
        for (index, point) in points.enumerated() {
            unsafe l.base[index] = point.oklab.x
            unsafe a.base[index] = point.oklab.y
            unsafe b.base[index] = point.oklab.z
            unsafe mass.base[index] = Float(point.mass)
            unsafe distance.base[index] = .greatestFiniteMagnitude
        }
    }

    /// Assigns to a centre all points that are nearer to it than to those offered before.
    func offer(_ oklab: SIMD3<Float>, as number: Int) {
        let number = Int32(truncatingIfNeeded: number)
        for index in 0..<count {
            let dl = unsafe l.base[index] - oklab.x
            let da = unsafe a.base[index] - oklab.y
            let db = unsafe b.base[index] - oklab.z
            let squared = dl * dl + da * da + db * db
            let isNearer = unsafe squared < distance.base[index]
            unsafe distance.base[index] = isNearer ? squared : distance.base[index]
            unsafe center.base[index] = isNearer ? number : center.base[index]
        }
    }

    /// The point whose mass times squared distance from its centre is the largest, of those that
    /// are at least so far from it.
    func farthest(beyond separation: Float) -> Int? {
        var result: Int?
        var most: Float = 0
        for index in 0..<count {
            let squared = unsafe distance.base[index]
            let distortion = unsafe squared * mass.base[index]
            if distortion > most, squared >= separation * separation {
                (most, result) = (distortion, index)
            }
        }
        return result
    }

    /// The means of each centre's points; centres without any are left out.
    func means(_ points: [WeightedColor], _ centers: Int) -> [WeightedColor] {
        var sums = [ColorSum](repeating: ColorSum(), count: centers)
        for (index, point) in points.enumerated() {
            unsafe sums[Int(center.base[index])].add(point)
        }
        return sums.filter { $0.mass > 0 }.map(\.mean)
    }
}

/// Colours that lie close together in OKLab, taken as one.
private enum ColorGrid {
    /// The side of a grid cell, a little more than can be told apart.
    private static let side: Float = 0.03
    /// Cells along L (0…1), a and b (-0.33…0.33, which sRGB does not leave).
    private static let lightnesses = 35, chromas = 24

    /// The means of the colours in each cell of the grid, in the order of the cells' first colours.
    static func gather(_ colors: [WeightedColor]) -> [WeightedColor] {
        // One more than the index in `sums`; 0 for none.
        var slots = [UInt16](repeating: 0, count: lightnesses * chromas * chromas)
        var sums: [ColorSum] = []
        for color in colors {
            let position = color.oklab / side
            func clamped(_ value: Float, _ count: Int) -> Int {
                max(0, min(count - 1, Int(value.rounded(.down))))
            }
            let l = clamped(position.x, lightnesses)
            let a = clamped(position.y + Float(chromas / 2), chromas)
            let b = clamped(position.z + Float(chromas / 2), chromas)
            let key = (l * chromas + a) * chromas + b
            if slots[key] == 0 {
                sums.append(ColorSum())
                slots[key] = UInt16(sums.count)
            }
            sums[Int(slots[key]) - 1].add(color)
        }
        return sums.map(\.mean)
    }
}

/// A sum of weighted colours.
private struct ColorSum {
    private var sum = SIMD3<Double>()
    private(set) var mass = 0.0

    mutating func add(_ color: WeightedColor) {
        let oklab = color.oklab
        sum += SIMD3(Double(oklab.x), Double(oklab.y), Double(oklab.z)) * color.mass
        mass += color.mass
    }

    var mean: WeightedColor {
        let mean = sum / mass
        return WeightedColor(oklab: SIMD3(Float(mean.x), Float(mean.y), Float(mean.z)), mass: mass)
    }
}
