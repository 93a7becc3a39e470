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
    /// Four points that are looked at at a time. Those that only fill the last group up have no
    /// mass.
    private struct Group: BitwiseCopyable {
        var l = SIMD4<Float>(), a = SIMD4<Float>(), b = SIMD4<Float>(), mass = SIMD4<Float>()
        /// The bits of the squared distances from the nearest centres: the bits of numbers that are
        /// not negative are in the numbers' own order, and need no branch to choose by.
        var distance = SIMD4<Int32>()
        var center = SIMD4<Int32>()
    }

    private let groups: ZeroedBuffer<Group>

    init(_ points: [WeightedColor]) {
        groups = ZeroedBuffer(count: (points.count + 3) / 4)
        for (index, point) in points.enumerated() {
            let (group, lane) = (index / 4, index % 4)
            unsafe groups.base[group].l[lane] = point.oklab.x
            unsafe groups.base[group].a[lane] = point.oklab.y
            unsafe groups.base[group].b[lane] = point.oklab.z
            unsafe groups.base[group].mass[lane] = Float(point.mass)
            unsafe groups.base[group].distance[lane] = Self.bits(.greatestFiniteMagnitude)
        }
    }

    /// Assigns to a centre all points that are nearer to it than to those offered before.
    func offer(_ oklab: SIMD3<Float>, as number: Int) {
        let number = SIMD4(repeating: Int32(truncatingIfNeeded: number))
        let (l, a, b) = (
            SIMD4(repeating: oklab.x), SIMD4(repeating: oklab.y), SIMD4(repeating: oklab.z)
        )
        for index in 0..<groups.count {
            let group = unsafe groups.base[index]
            let (dl, da, db) = (group.l - l, group.a - a, group.b - b)
            let squared = Self.bits(dl * dl + da * da + db * db)
            let isNearer = Self.isLess(squared, group.distance)
            unsafe groups.base[index].distance = Self.choose(squared, isNearer, group.distance)
            unsafe groups.base[index].center = Self.choose(number, isNearer, group.center)
        }
    }

    /// The point whose mass times squared distance from its centre is the largest, of those that
    /// are at least so far from it; of equals the first.
    func farthest(beyond separation: Float) -> Int? {
        let nearest = SIMD4(repeating: Self.bits(separation * separation))
        var most = SIMD4<Int32>()
        var place = SIMD4<Int32>()
        for index in 0..<groups.count {
            let group = unsafe groups.base[index]
            let distance = unsafe unsafeBitCast(group.distance, to: SIMD4<Float>.self)
            let distortion =
                Self.bits(distance * group.mass) & ~Self.isLess(group.distance, nearest)
            let isMore = Self.isLess(most, distortion)
            most = Self.choose(distortion, isMore, most)
            place = Self.choose(
                SIMD4(repeating: Int32(truncatingIfNeeded: index)), isMore, place)
        }
        let lanes = (0..<4).filter { most[$0] > 0 }
        let points = lanes.map { (distortion: most[$0], index: Int(place[$0]) * 4 + $0) }
        return points.min { ($1.distortion, $0.index) < ($0.distortion, $1.index) }?.index
    }

    /// The means of each centre's points; centres without any are left out.
    func means(_ points: [WeightedColor], _ centers: Int) -> [WeightedColor] {
        var sums = [ColorSum](repeating: ColorSum(), count: centers)
        for (index, point) in points.enumerated() {
            unsafe sums[Int(groups.base[index / 4].center[index % 4])].add(point)
        }
        return sums.filter { $0.mass > 0 }.map(\.mean)
    }

    private static func bits(_ value: Float) -> Int32 { Int32(bitPattern: value.bitPattern) }

    @inline(__always)
    private static func bits(_ values: SIMD4<Float>) -> SIMD4<Int32> {
        unsafe unsafeBitCast(values, to: SIMD4<Int32>.self)
    }

    /// All ones where one number is less than another, neither of them negative.
    @inline(__always)
    private static func isLess(_ one: SIMD4<Int32>, _ other: SIMD4<Int32>) -> SIMD4<Int32> {
        (one &- other) &>> 31
    }

    @inline(__always)
    private static func choose(
        _ one: SIMD4<Int32>, _ isOne: SIMD4<Int32>, _ other: SIMD4<Int32>
    ) -> SIMD4<Int32> {
        other ^ (one ^ other) & isOne
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
            // Of what is clamped below, rounding towards zero is rounding down.
            func clamped(_ value: Float, _ count: Int) -> Int {
                max(0, min(count - 1, Int(value)))
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
