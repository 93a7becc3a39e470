/// Reduces a picture's pixels to at most 64 colours, by their alpha-weighted shares.
///
/// All sums are of integers and everything after them is in a fixed order, so that the order of the
/// pixels does not change one bit of the result. A picture of up to 64 colours keeps them as they
/// are; the pixels of any other are gathered in 32³ cells, whose mean colours are grouped in OKLab.
@safe public struct ColorClusterer: ~Copyable {
    /// The alpha-weighted sums of red, green, blue and 1 over the pixels of one cell. A pixel adds
    /// less than 2^32, so that 2^32 pixels fit.
    typealias Cell = SIMD4<UInt64>

    private static let cellCount = 32 * 32 * 32

    /// The index in `cells` by 5 bits each of red, green and blue; `UInt16.max` for none.
    private let slots: UnsafeMutablePointer<UInt16>
    /// The occupied cells, in the order of their first pixel.
    private let cells: UnsafeMutablePointer<Cell>
    private var occupied = 0
    private var exact = ExactColors()

    /// Creates a clusterer of no pixels.
    public init() {
        unsafe slots = .allocate(capacity: Self.cellCount)
        unsafe slots.initialize(repeating: .max, count: Self.cellCount)
        // Not initialised: most pictures never touch most of it.
        unsafe cells = .allocate(capacity: Self.cellCount)
    }

    deinit {
        unsafe slots.deallocate()
        unsafe cells.deallocate()
    }

    /// Adds pixels, in any order: a row or a part of one.
    public mutating func add(_ pixels: UnsafeBufferPointer<SamplePixel>) {
        for index in 0..<pixels.count {
            let pixel = unsafe pixels[index]
            if pixel.w == 0 { continue }
            let wide = SIMD4<UInt32>(truncatingIfNeeded: pixel)
            let whole = (wide &+ 128) &>> 8
            exact.add(
                (whole.x & 255) << 16 | (whole.y & 255) << 8 | whole.z & 255, mass: wide.w)
            let key = Int((wide.x &>> 11) << 10 | (wide.y &>> 11) << 5 | wide.z &>> 11)
            var slot = unsafe Int(slots[key])
            if slot == Int(UInt16.max) {
                slot = occupied
                unsafe slots[key] = UInt16(slot)
                unsafe (cells + slot).initialize(to: Cell())
                occupied += 1
            }
            var factor = SIMD4<UInt64>(truncatingIfNeeded: wide)
            factor.w = 1
            unsafe cells[slot] &+= factor &* UInt64(wide.w)
        }
    }

    /// Finishes: at most 64 clusters, heaviest first, whose weights add up to 1; none where nothing
    /// can be seen.
    public consuming func finish() -> [ColorCluster] {
        if let colors = exact.colors {
            return ClusterGrouping.shares(colors)
        }
        var points: [ClusterGrouping.Point] = []
        for key in 0..<Self.cellCount {
            let slot = unsafe Int(slots[key])
            if slot == Int(UInt16.max) { continue }
            let cell = unsafe cells[slot]
            let mass = Double(cell.w)
            let encoded = SIMD3(Double(cell.x), Double(cell.y), Double(cell.z)) / (mass * 65280)
            let linear = SIMD3(
                TransferFunction.decode(encoded.x), TransferFunction.decode(encoded.y),
                TransferFunction.decode(encoded.z))
            points.append(.init(oklab: SIMD3<Float>(OKLab.fromLinear(linear)), mass: mass))
        }
        return ClusterGrouping.shares(ClusterGrouping.group(points))
    }
}
