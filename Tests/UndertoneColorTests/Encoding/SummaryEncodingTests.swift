import Testing

@testable import UndertoneColor

@Suite struct SummaryEncodingTests {
    @Test(arguments: RandomPicture.allCases)
    func decodesToTheSame(kind: RandomPicture) throws {
        let summary = ImageSummary(of: kind, regions: 3)
        let bytes = summary.encoded()
        #expect(try ImageSummary(validating: bytes) == summary)
        #expect(try ImageSummary(validating: bytes).encoded() == bytes)
    }

    @Test func largestSummaryIsBelow60KiB() {
        let summary = ImageSummary(of: .noise, regions: 16)
        #expect(summary.clusters.count == 64)
        #expect(summary.encoded().count == ImageSummary.maximumEncodedSize)
        #expect(ImageSummary.maximumEncodedSize < 60 * 1024)
        #expect(AreaSummary.encodedSize < 2800)
    }

    @Test func areasOfNothingAreZeros() throws {
        var summary = ImageSummary(of: .twoColors, regions: 2)
        summary.regions[1] = AreaSummary()
        #expect(try ImageSummary(validating: summary.encoded()) == summary)
        summary.picture = AreaSummary()
        summary.clusters = []
        let bytes = summary.encoded()
        #expect(try ImageSummary(validating: bytes) == summary)
    }

    @Test func everyTruncationIsRefused() {
        let bytes = ImageSummary(of: .twoColors, regions: 1).encoded()
        for count in 0..<bytes.count {
            #expect(throws: SummaryFault.self) {
                try ImageSummary(validating: Array(bytes.prefix(count)))
            }
        }
        #expect(throws: SummaryFault("length")) {
            try ImageSummary(validating: bytes + [0])
        }
    }

    /// Whatever one byte is changed to, it is refused or means something of its own.
    @Test func everyMutationIsRefusedOrCanonical() throws {
        var generator = SeededGenerator(9)
        let bytes = ImageSummary(of: .twoColors, regions: 0).encoded()
        var accepted = 0
        for index in bytes.indices {
            var mutated = bytes
            mutated[index] ^= UInt8.random(in: 1...255, using: &generator)
            if let summary = try? ImageSummary(validating: mutated) {
                accepted += 1
                #expect(summary.encoded() == mutated)
            }
        }
        #expect(accepted < bytes.count)
    }

    @Test func noiseIsRefused() {
        var generator = SeededGenerator(10)
        for _ in 0..<500 {
            let count = Int.random(in: 0...6000, using: &generator)
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(throws: SummaryFault.self) { try ImageSummary(validating: bytes) }
            // And behind a header that is right.
            let header = ImageSummary(of: .twoColors, regions: 0).encoded().prefix(104)
            bytes.replaceSubrange(0..<min(104, count), with: header.prefix(count))
            #expect(throws: SummaryFault.self) { try ImageSummary(validating: bytes) }
        }
    }

    /// A change to a summary that the encoding can hold but the daemon must not believe.
    struct Lie: Sendable {
        var field: String
        var tell: @Sendable (inout ImageSummary) -> Void
    }

    static let lies: [Lie] = [
        Lie(field: "picture.opacity") { $0.picture.opacity = 1.5 },
        Lie(field: "picture.opacity") { $0.picture.opacity = .infinity },
        Lie(field: "picture.simple") { $0.picture.simple.y = 255.5 },
        Lie(field: "picture.simple") { $0.picture.simple.x = .nan },
        Lie(field: "picture.squareRoot") { $0.picture.squareRoot.z = -1 },
        Lie(field: "picture.linear") { $0.picture.linear.x = 1.01 },
        Lie(field: "picture.oklab") { $0.picture.oklab.x = 1.1 },
        Lie(field: "picture.oklab") { $0.picture.oklab.z = -0.6 },
        Lie(field: "picture.luminance.mean") { $0.picture.luminance.mean = 2 },
        Lie(field: "picture.luminance.mean") {
            $0.picture.luminance.mean = $0.picture.luminance.max.nextUp
        },
        Lie(field: "picture.luminance.p05") {
            $0.picture.luminance.p05 = $0.picture.luminance.min.nextDown
        },
        Lie(field: "picture.luminance.p95") {
            $0.picture.luminance.p95 = $0.picture.luminance.p50.nextDown
        },
        Lie(field: "picture.luminance.max") { $0.picture.luminance.max = 0 },
        Lie(field: "picture.underWhiteText") { $0.picture.underWhiteText[9] = 65535 },
        Lie(field: "picture.underBlackText") { $0.picture.underBlackText[255] = 0 },
        Lie(field: "regions[1].simple") { $0.regions[1].simple.x = 256 },
        Lie(field: "image.orientation") { $0.image.orientation = 9 },
        Lie(field: "image.orientation") { $0.image.orientation = 0 },
        Lie(field: "image.width") { $0.image.width = 0 },
        Lie(field: "image.height") { $0.image.height = 1 << 31 },
        Lie(field: "clusters[0].weight") { $0.clusters[0].weight = 1.5 },
        Lie(field: "clusters[1].weight") { $0.clusters[1].weight = 0 },
        Lie(field: "clusters[1].weight") { $0.clusters.swapAt(0, 1) },
        Lie(field: "clusters[0].oklab") { $0.clusters[0].oklab.y = .nan },
        Lie(field: "clusters") { $0.clusters.removeLast() },
        Lie(field: "clusters") { $0.clusters = [] },
        Lie(field: "clusters") { $0.picture = AreaSummary() },
    ]

    @Test(arguments: lies)
    func liesAreNamed(lie: Lie) {
        var summary = ImageSummary(of: .twoColors, regions: 2)
        lie.tell(&summary)
        #expect(throws: SummaryFault(lie.field)) {
            try ImageSummary(validating: summary.encoded())
        }
    }

    @Test(arguments: [(0, "magic"), (4, "magic"), (16, "image.format"), (18, "image.profile")])
    func fixedFieldsAreChecked(offset: Int, field: String) {
        var bytes = ImageSummary(of: .twoColors, regions: 0).encoded()
        bytes[offset] = 200
        #expect(throws: SummaryFault(field)) { try ImageSummary(validating: bytes) }
    }

    @Test func minusZeroIsNotASecondZero() {
        var bytes = ImageSummary(of: .twoColors, regions: 0).encoded()
        // The picture's first number behind the opacity, made minus zero.
        let offset = 104 + 8
        bytes.replaceSubrange(offset..<offset + 8, with: [0, 0, 0, 0, 0, 0, 0, 0x80])
        #expect(throws: SummaryFault("picture.simple")) { try ImageSummary(validating: bytes) }
    }
}

extension ImageSummary {
    /// A summary whose regions are parts of a random picture.
    init(of kind: RandomPicture, regions: Int) {
        let pixels = kind.pixels(1000, seed: 77)
        self.init(
            image: ImageFacts(
                width: 4000, height: 6000, format: .jpeg, orientation: 6, profile: .converted,
                complete: false, sampling: .exact),
            identityBefore: FileIdentity(
                device: 1, inode: .max, size: 3, modified: .min, changed: -1),
            identityAfter: FileIdentity(
                device: 2, inode: 5, size: 1 << 40, modified: .max, changed: 0),
            picture: AreaSummary(of: pixels),
            regions: (0..<regions).map { AreaSummary(of: Array(pixels[$0 * 10..<$0 * 10 + 200])) },
            clusters: [ColorCluster](of: pixels))
    }
}
