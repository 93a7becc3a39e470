import Testing

@testable import UndertoneColor

@Suite struct AreaAccumulatorTests {
    @Test(arguments: RandomPicture.allCases)
    func sumsAreThoseOfPlainArithmetic(kind: RandomPicture) {
        for seed in UInt64(1)...3 {
            let pixels = kind.pixels(2000, seed: seed)
            let weights = kind.weights(2000, seed: seed)
            for weights in [nil, weights] {
                let summary = AreaSummary(of: pixels, weights: weights)
                let reference = Reference(pixels, weights)
                #expect(abs(summary.opacity - reference.opacity) < 1e-12)
                #expect(reference.simple.isWithin(1e-9, of: summary.simple))
                // Squares are rounded to 1/2^24 of the whole, light to 1/32 of an eight-bit step.
                #expect(reference.squareRoot.isWithin(1e-4, of: summary.squareRoot))
                #expect(reference.linear.isWithin(3e-5, of: summary.linear))
                #expect(reference.oklab.isWithin(2e-5, of: summary.oklab))
            }
        }
    }

    @Test(arguments: RandomPicture.allCases)
    func orderChangesNoBit(kind: RandomPicture) {
        var generator = SeededGenerator(7)
        let pixels = kind.pixels(1500, seed: 7)
        let weights = kind.weights(1500, seed: 7)
        let plain = AreaSummary(of: pixels)
        let weighted = AreaSummary(of: pixels, weights: weights)
        for _ in 0..<3 {
            let order = pixels.indices.shuffled(using: &generator)
            #expect(AreaSummary(of: order.map { pixels[$0] }) == plain)
            let shuffled = AreaSummary(
                of: order.map { pixels[$0] }, weights: order.map { weights[$0] })
            #expect(shuffled == weighted)
        }
    }

    @Test func weightsOf256AreNoWeights() {
        for kind in RandomPicture.allCases {
            let pixels = kind.pixels(700, seed: 3)
            let whole = [UInt16](repeating: 256, count: 700)
            #expect(AreaSummary(of: pixels, weights: whole) == AreaSummary(of: pixels))
        }
    }

    @Test func equalWeightsChangeNoShare() {
        let pixels = RandomPicture.translucent.pixels(900, seed: 4)
        let half = AreaSummary(of: pixels, weights: [UInt16](repeating: 128, count: 900))
        let whole = AreaSummary(of: pixels)
        #expect(half == whole)
    }

    @Test(arguments: RandomPicture.allCases)
    func transparentPixelsCountOnlyForOpacity(kind: RandomPicture) {
        let pixels = kind.pixels(400, seed: 5)
        var generator = SeededGenerator(5)
        let ghosts = (0..<400).map { _ in
            SamplePixel.random(using: &generator, alpha: 0...0)
        }
        var summary = AreaSummary(of: pixels + ghosts)
        let alone = AreaSummary(of: pixels)
        #expect(abs(summary.opacity - alone.opacity / 2) < 1e-12)
        summary.opacity = alone.opacity
        #expect(summary == alone)
    }

    @Test func pixelsOfNoWeightDoNotCount() {
        let pixels = RandomPicture.translucent.pixels(300, seed: 6)
        let weights = (0..<300).map { UInt16($0 % 2 == 0 ? 256 : 0) }
        let kept = stride(from: 0, to: 300, by: 2).map { pixels[$0] }
        #expect(AreaSummary(of: pixels, weights: weights) == AreaSummary(of: kept))
    }

    @Test func repeatedPixelsChangeNothing() {
        let pixels = RandomPicture.fractions.pixels(255, seed: 8)
        let once = AreaSummary(of: pixels)
        let often = AreaSummary(of: Array(repeatElement(pixels, count: 9).joined()))
        #expect(once == often)
    }

    @Test func sumsOfTheLargestPicturesFit() {
        // 128 times the same million pixels: 2^27, more than a picture may have.
        let white = [SamplePixel](repeating: SamplePixel(.white), count: 1 << 17)
        var accumulator = AreaAccumulator(backdrop: nil)
        unsafe white.withUnsafeBufferPointer { row in
            for _ in 0..<4 { unsafe accumulator.add(row, weights: nil) }
        }
        let summary = accumulator.summary()
        #expect(summary.simple == SIMD3(repeating: 255))
        #expect(summary.linear == SIMD3(repeating: 1))
        #expect(summary.luminance.p50 == RGB8.white.relativeLuminance)
    }
}

extension RandomPicture {
    /// A weight for each pixel; most of them whole, as in a region with cut edges.
    fileprivate func weights(_ count: Int, seed: UInt64) -> [UInt16] {
        var generator = SeededGenerator(seed + 100)
        return (0..<count).map { _ in
            generator.next() % 4 == 0 ? .random(in: 0...256, using: &generator) : 256
        }
    }
}

extension SIMD3<Double> {
    fileprivate func isWithin(_ tolerance: Double, of other: Self) -> Bool {
        abs(x - other.x) <= tolerance && abs(y - other.y) <= tolerance
            && abs(z - other.z) <= tolerance
    }
}

/// The sums of section "Average" of the specification, pixel by pixel in floating point.
private struct Reference {
    var opacity = 0.0
    var simple = SIMD3<Double>(), squareRoot = SIMD3<Double>()
    var linear = SIMD3<Double>(), oklab = SIMD3<Double>()

    init(_ pixels: [SamplePixel], _ weights: [UInt16]?) {
        var (area, mass) = (0.0, 0.0)
        for (index, pixel) in pixels.enumerated() {
            let weight = Double(weights?[index] ?? 256) / 256
            let share = weight * Double(pixel.w) / 65280
            let encoded = SIMD3(Double(pixel.x), Double(pixel.y), Double(pixel.z)) / 65280
            let light = SIMD3(
                TransferFunction.decode(encoded.x), TransferFunction.decode(encoded.y),
                TransferFunction.decode(encoded.z))
            area += weight
            mass += share
            simple += 255 * encoded * share
            squareRoot += 65025 * encoded * encoded * share
            linear += light * share
            oklab += OKLab.fromLinear(light) * share
        }
        opacity = mass / area
        simple /= mass
        squareRoot = (squareRoot / mass).squareRoot()
        linear /= mass
        oklab /= mass
    }
}
