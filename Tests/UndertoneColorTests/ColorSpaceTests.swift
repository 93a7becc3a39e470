import Glibc
import Testing

@testable import UndertoneColor

@Suite struct ColorSpaceTests {
    @Test func rootsAreThoseOfTheLibrary() {
        var generator = SeededGenerator(1)
        for exponent in -40...4 {
            for _ in 0..<20 {
                let x = Double.random(in: 1...2, using: &generator) * exp2(Double(exponent))
                #expect(abs(Roots.cube(x) / cbrt(x) - 1) < 5e-16)
                #expect(abs(Roots.fifth(x) / pow(x, 0.2) - 1) < 5e-16)
            }
        }
        #expect(Roots.cube(0) == 0)
        #expect(Roots.fifth(0) == 0)
        #expect(Roots.cube(1) == 1)
        #expect(Roots.fifth(1) == 1)
    }

    @Test func transferFunctionIsTheStandards() {
        for step in 0...4000 {
            let encoded = Double(step) / 4000
            let linear =
                encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
            #expect(abs(TransferFunction.decode(encoded) - linear) < 1e-15)
            // The two branches do not quite meet: 3e-8 is what the standard's own constants miss.
            #expect(abs(TransferFunction.encode(linear) - encoded) < 1e-7)
        }
        #expect(TransferFunction.encode(-1) == 0)
        #expect(TransferFunction.encode(2) == 1)
    }

    /// The reference values of sRGB's primaries in OKLab.
    static let primaries: [(RGB8, SIMD3<Double>)] = [
        (.white, SIMD3(1, 0, 0)),
        (.black, SIMD3(0, 0, 0)),
        (RGB8(packed: 0xff0000), SIMD3(0.627955, 0.224863, 0.125846)),
        (RGB8(packed: 0x00ff00), SIMD3(0.866440, -0.233888, 0.179498)),
        (RGB8(packed: 0x0000ff), SIMD3(0.452014, -0.032457, -0.311528)),
        (RGB8(packed: 0x00ffff), SIMD3(0.905399, -0.149444, -0.039398)),
        (RGB8(packed: 0xff00ff), SIMD3(0.701674, 0.274566, -0.169156)),
        (RGB8(packed: 0xffff00), SIMD3(0.967983, -0.071369, 0.198570)),
        (RGB8(packed: 0x808080), SIMD3(0.599871, 0, 0)),
    ]

    @Test(arguments: primaries)
    func primariesInOKLab(color: RGB8, expected: SIMD3<Double>) {
        #expect(OKLab.distance(color.oklab, expected) < 2e-6)
    }

    @Test func everySampledColorSurvivesOKLab() {
        for packed in stride(from: UInt32(0), to: 1 << 24, by: 997) {
            let color = RGB8(packed: packed)
            #expect(RGB8(oklab: color.oklab) == color)
        }
    }

    @Test func distanceIsEuclidean() {
        #expect(OKLab.distance(SIMD3(0, 0, 0), SIMD3(1, 0, 0)) == 1)
        #expect(OKLab.distance(SIMD3(0.5, 0.3, 0), SIMD3(0.5, 0, 0.4)) == 0.5)
    }

    /// The four-lane cube roots of the accumulator, over everything that light can be.
    @Test func coneRootsAreExactEnough() {
        var generator = SeededGenerator(2)
        for _ in 0..<5000 {
            let light = SIMD3<Float>(
                .random(in: 0...1, using: &generator), .random(in: 0...1, using: &generator),
                .random(in: 0...1, using: &generator))
            let scaled = light * light * light * Float(PixelTables.lightScale)
            let roots = ConeRoots(
                red: SIMD4(repeating: scaled.x), green: SIMD4(repeating: scaled.y),
                blue: SIMD4(repeating: scaled.z))
            let integers = SIMD3(roots.l.x, roots.m.y, roots.s.z) &- ConeRoots.bias
            let lab = OKLab.fromConeRoots(SIMD3<Double>(integers) / ConeRoots.scales)
            let exact = OKLab.fromLinear(SIMD3<Double>(scaled) / PixelTables.lightScale)
            #expect(OKLab.distance(lab, exact) < 2e-6)
        }
        let black = ConeRoots(red: SIMD4(), green: SIMD4(), blue: SIMD4())
        #expect(black.l == SIMD4(repeating: ConeRoots.bias))
    }

    /// Between the eight-bit values, light is looked up by the nearest of sixteen.
    @Test func lightTableFollowsTheCurve() {
        let tables = PixelTables.shared
        for value in 0...4080 {
            let pixel = SamplePixel(repeating: UInt16(value) << 4)
            let light = Double(tables.light(pixel).y) / PixelTables.lightScale
            #expect(abs(light - TransferFunction.decode(Double(value) / 4080)) < 2e-9)
        }
    }

    @Test func keysOrderColorsByLuminance() {
        var generator = SeededGenerator(3)
        let tables = PixelTables.shared
        for _ in 0..<5000 {
            let (one, other) = (
                RGB8.random(using: &generator), RGB8.random(using: &generator)
            )
            let ascending = one.relativeLuminance < other.relativeLuminance
            #expect((tables.key(one.packed) < tables.key(other.packed)) == ascending)
            #expect(RGB8(packed: UInt32(truncatingIfNeeded: tables.key(one.packed))) == one)
        }
        #expect(tables.key(0xff_ffff) >> 24 <= 1 << 40)
    }
}
