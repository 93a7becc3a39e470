/// Reduces a picture's pixels to at most 64 colours with their alpha-weighted shares.
///
/// All sums are of integers and everything after them is in a fixed order, so that the order of the
/// pixels does not change one bit of the result. A picture of up to 64 colours keeps them as they
/// are; the pixels of any other are gathered in 32³ cells, whose mean colours are grouped in OKLab.
@safe public struct ColorClusterer: ~Copyable {
    /// The alpha-weighted sums of red, green, blue and 1 over the pixels of one cell. A pixel adds
    /// less than 2^32, so that 2^32 pixels fit.
    private typealias Cell = SIMD4<UInt64>

    private static let cellCount = 32 * 32 * 32
    /// How many cells there is room for at first: most small pictures occupy fewer, and memory that
    /// is touched for the first time costs more than what is done with it.
    private static let firstRoom = 2048

    /// One more than the index in `cells`, by 5 bits each of red, green and blue; 0 for none.
    private let slots = ZeroedBuffer<UInt16>(count: cellCount)
    /// The occupied cells, in the order of their first pixel, and room for more.
    private var cells = ZeroedBuffer<Cell>(count: firstRoom)
    private var occupied = 0
    private var exact = ExactColors()

    /// Creates a clusterer of no pixels.
    public init() {}

    /// Adds pixels, in any order: a row or a part of one.
    public mutating func add(_ pixels: UnsafeBufferPointer<SamplePixel>) {
        if exact.isComplete { unsafe addExact(pixels) }
        for index in 0..<pixels.count {
            var pixel = unsafe pixels[index]
            let alpha = pixel.w
            if alpha == 0 { continue }
            let five = pixel &>> 11
            let key = Int(five.x) &<< 10 | Int(five.y) &<< 5 | Int(five.z)
            var slot = unsafe slots.base[key]
            if slot == 0 {
                if occupied == cells.count { cells = cells.copied(count: 2 * occupied) }
                occupied &+= 1
                slot = UInt16(truncatingIfNeeded: occupied)
                unsafe slots.base[key] = slot
            }
            pixel.w = 1
            let product = SIMD4<UInt32>(truncatingIfNeeded: pixel) &* UInt32(alpha)
            unsafe cells.base[Int(slot) &- 1] &+= SIMD4<UInt64>(truncatingIfNeeded: product)
        }
    }

    private mutating func addExact(_ pixels: UnsafeBufferPointer<SamplePixel>) {
        for index in 0..<pixels.count where exact.isComplete {
            let pixel = unsafe pixels[index]
            if pixel.w > 0 { exact.add(RGB8(pixel).packed, mass: UInt64(pixel.w)) }
        }
    }

    /// Finishes: at most 64 clusters, heaviest first, whose weights add up to 1; none where nothing
    /// can be seen.
    public consuming func finish() -> [ColorCluster] {
        ColorGroups.shares(exact.isComplete ? exact.colors : ColorGroups.group(points()))
    }

    /// The cells' mean colours, in the order of red, green and blue.
    private func points() -> [WeightedColor] {
        let planes = LightPlanes()
        var points: [WeightedColor] = []
        points.reserveCapacity(occupied)
        var masses: [Double] = []
        func flush() {
            planes.convert(masses.count)
            planes.convertToRoots(masses.count)
            for (index, mass) in masses.enumerated() {
                points.append(WeightedColor(roots: planes.load(index), mass: mass))
            }
            masses.removeAll(keepingCapacity: true)
        }
        for key in 0..<Self.cellCount {
            let slot = unsafe slots.base[key]
            if slot == 0 { continue }
            let cell = unsafe cells.base[Int(slot) - 1]
            let mean = SIMD3(Double(cell.x), Double(cell.y), Double(cell.z)) / Double(cell.w)
            let pixel = SamplePixel(UInt16(mean.x), UInt16(mean.y), UInt16(mean.z), 0)
            planes.store(PixelTables.shared.light(pixel), at: masses.count)
            masses.append(Double(cell.w))
            if masses.count == LightPlanes.capacity { flush() }
        }
        flush()
        return points
    }
}

/// A colour and how much there is of it.
struct WeightedColor {
    var oklab: SIMD3<Float>
    var mass: Double

    init(oklab: SIMD3<Float>, mass: Double) {
        self.oklab = oklab
        self.mass = mass
    }

    /// Creates a colour of its cone roots, without bias.
    init(roots: SIMD4<UInt32>, mass: Double) {
        let lab = OKLab.fromConeRoots(
            SIMD3(Double(roots.x), Double(roots.y), Double(roots.z)) / ConeRoots.scales)
        self.init(oklab: SIMD3(Float(lab.x), Float(lab.y), Float(lab.z)), mass: mass)
    }
}
