import Testing

@testable import UndertoneColor

@Suite struct ColorClustererTests {
    @Test func flatPictureHasOneCluster() throws {
        var generator = SeededGenerator(1)
        for _ in 0..<100 {
            let color = RGB8.random(using: &generator)
            let clusters = [ColorCluster](of: [color, color])
            #expect(clusters.count == 1)
            #expect(clusters[0].weight == 1)
            #expect(RGB8(oklab: SIMD3<Double>(clusters[0].oklab)) == color)
        }
    }

    @Test func twoColorsAreTwoClustersHoweverClose() throws {
        let grey = try #require(RGB8(hex: "#808080"))
        let other = try #require(RGB8(hex: "#818080"))
        let clusters = [ColorCluster](of: [grey, other, grey])
        #expect(clusters.map { RGB8(oklab: SIMD3<Double>($0.oklab)) } == [grey, other])
        #expect(abs(clusters[0].weight - 2 / 3) < 1e-6)
        #expect(abs(clusters[1].weight - 1 / 3) < 1e-6)
    }

    @Test func upTo64ColorsStayAsTheyAre() {
        var generator = SeededGenerator(2)
        var colors: Set<RGB8> = []
        while colors.count < 64 { colors.insert(.random(using: &generator)) }
        let clusters = [ColorCluster](of: Array(colors))
        #expect(Set(clusters.map { RGB8(oklab: SIMD3<Double>($0.oklab)) }) == colors)
    }

    /// 0.5 % of vivid red in the shades of a grey gradient.
    @Test func smallVividPatchKeepsItsCluster() throws {
        let red = RGB8(red: 220, green: 20, blue: 30)
        let pixels = (0..<20_000).map { index -> RGB8 in
            if index % 200 == 0 { return red }
            let value = UInt8(60 + index % 131)
            return RGB8(red: value, green: value, blue: value &+ UInt8(index % 3))
        }
        let clusters = [ColorCluster](of: pixels)
        let nearest = try #require(
            clusters.min {
                OKLab.distance(SIMD3<Double>($0.oklab), red.oklab)
                    < OKLab.distance(SIMD3<Double>($1.oklab), red.oklab)
            })
        #expect(OKLab.distance(SIMD3<Double>(nearest.oklab), red.oklab) < 0.01)
        #expect(abs(nearest.weight - 0.005) < 1e-6)
    }

    @Test(arguments: RandomPicture.allCases)
    func orderChangesNoBit(kind: RandomPicture) {
        var generator = SeededGenerator(3)
        let pixels = kind.pixels(3000, seed: 3)
        let clusters = [ColorCluster](of: pixels)
        for _ in 0..<3 {
            #expect([ColorCluster](of: pixels.shuffled(using: &generator)) == clusters)
        }
    }

    @Test(arguments: RandomPicture.allCases)
    func clustersAreWhatTheFormatAllows(kind: RandomPicture) {
        for (seed, count) in [(UInt64(4), 1), (5, 100), (6, 20_000)] {
            let clusters = [ColorCluster](of: kind.pixels(count, seed: seed))
            #expect(clusters.count <= 64)
            guard !clusters.isEmpty else { continue }
            #expect(abs(clusters.reduce(0) { $0 + $1.weight } - 1) < 1e-5)
            #expect(zip(clusters, clusters.dropFirst()).allSatisfy { $0.weight >= $1.weight })
            #expect(clusters.allSatisfy { $0.weight > 0 })
        }
    }

    /// No colour is far from a cluster, even where all of the colour cube is used.
    @Test func noiseIsCovered() {
        let pixels = RandomPicture.noise.pixels(20_000, seed: 7)
        let clusters = [ColorCluster](of: pixels)
        #expect(clusters.count == 64)
        let farthest = pixels.map { pixel in
            let lab = RGB8(pixel).oklab
            return clusters.map { OKLab.distance(SIMD3<Double>($0.oklab), lab) }.min() ?? 1
        }
        #expect((farthest.max() ?? 1) < 0.2)
        #expect(farthest.reduce(0, +) / Double(farthest.count) < 0.06)
    }

    @Test func alphaWeighs() {
        let faint = SamplePixel(.white, alpha: 51)
        let clusters = [ColorCluster](of: [faint, faint, SamplePixel(.black)])
        #expect(clusters.map { RGB8(oklab: SIMD3<Double>($0.oklab)) } == [.black, .white])
        #expect(abs(clusters[1].weight - 0.4 / 1.4) < 1e-6)
    }

    @Test func nothingVisibleHasNoClusters() {
        #expect([ColorCluster](of: [] as [SamplePixel]).isEmpty)
        #expect([ColorCluster](of: [SamplePixel(.white, alpha: 0)]).isEmpty)
    }
}

extension [ColorCluster] {
    init(of pixels: [SamplePixel]) {
        var clusterer = ColorClusterer()
        unsafe pixels.withUnsafeBufferPointer { unsafe clusterer.add($0) }
        self = clusterer.finish()
    }

    init(of colors: [RGB8]) {
        self.init(of: colors.map { SamplePixel($0) })
    }
}
