/// How many pixels there are of each luminance, in a few thousand bins.
///
/// Bins are of equal width on the square root of luminance, which is one instruction and within a
/// factor of 1.5 of the sRGB curve: a bin is never wider than 1/2800 of that curve. Each bin knows
/// its lowest and highest colour, so that a picture of few colours loses nothing.
@safe struct LuminanceHistogram: ~Copyable {
    static let binCount = 4096

    /// One bin; the bounds are colours' keys, `low` above `high` where the bin is empty.
    struct Bin {
        var weight: UInt64 = 0
        var low = UInt64.max
        var high: UInt64 = 0
    }

    let bins: UnsafeMutablePointer<Bin>

    init() {
        unsafe bins = .allocate(capacity: Self.binCount)
        unsafe bins.initialize(repeating: Bin(), count: Self.binCount)
    }

    deinit {
        unsafe bins.deallocate()
    }

    /// The bin of a colour's key, 0..<`binCount`.
    @inline(__always)
    static func index(_ key: UInt64) -> Int {
        // The upper 31 bits of the luminance, which convert in one instruction.
        let luminance = Float(Int32(truncatingIfNeeded: key >> 33))
        return Int(Int32(luminance.squareRoot() * (Float(binCount) / 46341)))
    }

    /// Adds a pixel.
    @inline(__always)
    func add(_ key: UInt64, weight: UInt64) {
        let bin = unsafe bins + Self.index(key)
        unsafe bin.pointee.weight &+= weight
        if unsafe key < bin.pointee.low { unsafe bin.pointee.low = key }
        if unsafe key > bin.pointee.high { unsafe bin.pointee.high = key }
    }

    /// Adds all pixels of another histogram, each weight times a factor.
    func add(_ other: borrowing LuminanceHistogram, times factor: UInt64) {
        for index in 0..<Self.binCount {
            let source = unsafe other.bins[index]
            if source.weight == 0 { continue }
            unsafe bins[index].weight += source.weight * factor
            unsafe bins[index].low = min(bins[index].low, source.low)
            unsafe bins[index].high = max(bins[index].high, source.high)
        }
    }

    /// The occupied bins in ascending order.
    func spread() -> LuminanceSpread {
        var occupied: [Bin] = []
        for index in 0..<Self.binCount where unsafe bins[index].weight > 0 {
            unsafe occupied.append(bins[index])
        }
        return LuminanceSpread(bins: occupied)
    }
}

/// The occupied bins of a histogram, from which ranks are looked up.
struct LuminanceSpread {
    let bins: [LuminanceHistogram.Bin]
    let total: UInt64

    init(bins: [LuminanceHistogram.Bin]) {
        self.bins = bins
        total = bins.reduce(0) { $0 + $1.weight }
    }

    /// The lowest and the highest colour.
    var darkest: RGB8 { RGB8(packed: UInt32(truncatingIfNeeded: bins[0].low)) }
    var lightest: RGB8 { RGB8(packed: UInt32(truncatingIfNeeded: bins[bins.count - 1].high)) }

    /// The luminances at ascending ranks, by nearest rank: the rank `n`/`d` is that of the first
    /// pixel at which the weight so far reaches n/d of the total. Inside a bin of several colours
    /// they are taken as evenly spread.
    func luminances(atRanks ranks: [Int], of denominator: Int) -> [Double] {
        var result: [Double] = []
        var index = 0
        var before: UInt64 = 0
        for rank in ranks {
            let (high, low) = total.multipliedFullWidth(by: UInt64(rank))
            let (quotient, remainder) = UInt64(denominator).dividingFullWidth((high, low))
            let wanted = quotient + (remainder > 0 ? 1 : 0)
            while before + bins[index].weight < wanted {
                before += bins[index].weight
                index += 1
            }
            let bin = bins[index]
            let low8 = RGB8(packed: UInt32(truncatingIfNeeded: bin.low)).relativeLuminance
            let high8 = RGB8(packed: UInt32(truncatingIfNeeded: bin.high)).relativeLuminance
            let part = Double(wanted - before) / Double(bin.weight)
            result.append(max(result.last ?? 0, low8 + part * (high8 - low8)))
        }
        return result
    }
}
