@testable import UndertoneColor

/// A generator whose numbers are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

extension AreaSummary {
    /// Sums up pixels, given in rows of at most 1000.
    init(of pixels: [SamplePixel], weights: [UInt16]? = nil, backdrop: RGB8? = nil) {
        var accumulator = AreaAccumulator(backdrop: backdrop)
        var start = 0
        while start < pixels.count {
            let row = start..<min(start + 1000, pixels.count)
            unsafe pixels[row].withUnsafeBufferPointer { pixels in
                if let weights {
                    unsafe weights[row].withUnsafeBufferPointer { weights in
                        unsafe accumulator.add(pixels, weights: weights)
                    }
                } else {
                    unsafe accumulator.add(pixels, weights: nil)
                }
            }
            start = row.upperBound
        }
        self = accumulator.summary()
    }

    /// Sums up opaque colours.
    init(of colors: [RGB8], backdrop: RGB8? = nil) {
        self.init(of: colors.map { SamplePixel($0) }, backdrop: backdrop)
    }
}

extension SamplePixel {
    /// A pixel of an eight-bit colour and alpha.
    init(_ color: RGB8, alpha: UInt8 = 255) {
        self.init(
            UInt16(color.red) << 8, UInt16(color.green) << 8, UInt16(color.blue) << 8,
            UInt16(alpha) << 8)
    }

    /// A pixel of any values that a sample can hold.
    static func random(using generator: inout SeededGenerator, alpha: ClosedRange<UInt16>) -> Self {
        var pixel = SamplePixel.random(in: 0...65280, using: &generator)
        pixel.w = .random(in: alpha, using: &generator)
        return pixel
    }
}

extension RGB8 {
    /// Any colour.
    static func random(using generator: inout SeededGenerator) -> RGB8 {
        RGB8(packed: UInt32(truncatingIfNeeded: generator.next()) & 0xff_ffff)
    }
}

/// Random pictures of the kinds that make a difference, by name.
enum RandomPicture: String, CaseIterable, Sendable {
    /// Any whole eight-bit colours.
    case noise
    /// Values with the fractions that area-averaging leaves.
    case fractions
    /// Any alpha, none and full included.
    case translucent
    /// Colours near to each other.
    case shades
    /// Two colours.
    case twoColors
    /// Logos: opaque, transparent and half-way stretches.
    case stretches

    func pixels(_ count: Int, seed: UInt64) -> [SamplePixel] {
        var generator = SeededGenerator(seed)
        let base = RGB8.random(using: &generator)
        let other = RGB8.random(using: &generator)
        return (0..<count).map { index in
            switch self {
            case .noise: SamplePixel(.random(using: &generator))
            case .fractions: .random(using: &generator, alpha: 65280...65280)
            case .translucent:
                switch generator.next() % 8 {
                case 0: .random(using: &generator, alpha: 0...0)
                case 1: .random(using: &generator, alpha: 65280...65280)
                default: .random(using: &generator, alpha: 0...65280)
                }
            case .shades:
                SamplePixel(
                    base.mixed(towards: other, Int.random(in: 0...40, using: &generator)))
            case .twoColors: SamplePixel(generator.next() % 3 == 0 ? base : other)
            case .stretches:
                SamplePixel(
                    base.mixed(towards: other, Int(generator.next() % 256)),
                    alpha: [255, 0, 128, 255][index / 37 % 4])
            }
        }
    }
}

extension [SamplePixel] {
    /// The eight-bit composites of the visible pixels.
    func composites(on backdrop: RGB8) -> [RGB8] {
        filter { $0.w > 0 }.map { pixel in
            func mix(_ value: UInt16, _ under: UInt8) -> UInt8 {
                let alpha = Double(pixel.w) / 65280
                let over = Double((value + 128) >> 8)
                return UInt8(
                    (over * alpha + Double(under) * (1 - alpha) + 0.5 + 1e-9).rounded(.down))
            }
            return RGB8(
                red: mix(pixel.x, backdrop.red), green: mix(pixel.y, backdrop.green),
                blue: mix(pixel.z, backdrop.blue))
        }
    }
}
