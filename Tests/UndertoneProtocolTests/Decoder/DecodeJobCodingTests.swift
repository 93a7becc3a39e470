import Testing
import UndertoneColor
import UndertoneProtocol

@Suite struct DecodeJobCodingTests {
    let plain = DecodeJob(path: Array("/a".utf8))
    let full = DecodeJob(
        path: Array("/home/ü/".utf8) + [0xff, 0x0a, 0x20], sampling: .exact,
        backdrop: RGB8(red: 1, green: 2, blue: 255),
        regions: [
            RegionRectangle(x: 0, y: 0.88, width: 1, height: 0.12),
            RegionRectangle(x: 0.25, y: 0.5, width: 0.125, height: 0.0001),
        ])

    @Test func packsTheFieldsInTheirOrder() {
        #expect(
            plain.encoded(slot: 0x0102_0304) == [
                1, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 2, 0, UInt8(ascii: "/"), UInt8(ascii: "a"),
            ])
    }

    @Test func comesBackAsItWas() throws {
        for job in [plain, full] {
            let (slot, back) = try #require(DecodeJob.decode(job.encoded(slot: .max)))
            #expect(slot == .max)
            #expect(back == job)
        }
    }

    @Test func keepsABackdropApartFromNone() throws {
        var job = plain
        job.backdrop = .black
        #expect(DecodeJob.decode(job.encoded(slot: 0))?.job.backdrop == .black)
        #expect(DecodeJob.decode(plain.encoded(slot: 0))?.job.backdrop == nil)
    }

    @Test func theLargestJobFits() throws {
        var job = full
        job.path = [UInt8](repeating: UInt8(ascii: "/"), count: 4095)
        job.regions = [RegionRectangle](
            repeating: RegionRectangle(x: 0, y: 0, width: 1, height: 1), count: 16)
        let bytes = job.encoded(slot: 7)
        #expect(bytes.count <= DecodeJob.maximumEncodedBytes)
        #expect(DecodeJob.decode(bytes)?.job == job)

        job.path.append(UInt8(ascii: "/"))
        #expect(DecodeJob.decode(job.encoded(slot: 7)) == nil)
    }

    @Test func refusesTooManyRegions() {
        for count in [17, 255, 256, 272] {
            var job = plain
            job.regions = [RegionRectangle](
                repeating: RegionRectangle(x: 0, y: 0, width: 1, height: 1), count: count)
            #expect(DecodeJob.decode(job.encoded(slot: 0)) == nil)
        }
    }

    @Test(arguments: ["", "a/b", "./a", "/a\0b", "\0/a"])
    func refusesAPathThatIsNotAbsoluteOrHoldsNUL(_ path: String) {
        #expect(DecodeJob.decode(DecodeJob(path: Array(path.utf8)).encoded(slot: 0)) == nil)
    }

    @Test(arguments: [
        (Double.nan, 0.0, 1.0, 1.0), (0, .nan, 1, 1), (0, 0, .nan, 1), (0, 0, 1, .nan),
        (0, 0, .infinity, 1), (-.infinity, 0, .infinity, 1), (-0.1, 0, 0.5, 0.5),
        (0, 0, 0, 1), (0, 0, 1, 0), (0, 0, -0.5, 1), (0.6, 0, 0.5, 1), (0, 0.6, 1, 0.5),
        (1, 0, 0.1, 1), (0, 0, .greatestFiniteMagnitude, 1),
    ])
    func refusesARegionOutsideThePicture(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double
    ) {
        var job = plain
        job.regions = [RegionRectangle(x: x, y: y, width: width, height: height)]
        #expect(DecodeJob.decode(job.encoded(slot: 0)) == nil)
    }

    @Test func letsTheRoundingOfAnEdgePass() throws {
        // Every edge size that a client would write, as `1 - size` and `size`.
        for step in 1..<1000 {
            let size = Double(step) / 1000
            var job = plain
            job.regions = [RegionRectangle(x: 1 - size, y: 0, width: size, height: 1)]
            #expect(DecodeJob.decode(job.encoded(slot: 0)) != nil)
        }
    }

    @Test func refusesEveryOtherLength() {
        let bytes = full.encoded(slot: 3)
        for length in 0..<bytes.count {
            #expect(DecodeJob.decode(Array(bytes.prefix(length))) == nil)
        }
        #expect(DecodeJob.decode(bytes + [0]) == nil)
    }

    @Test func refusesAnotherVersionAndUnknownValues() {
        let bytes = plain.encoded(slot: 3)
        for (index, value) in [(0, 0), (0, 2), (5, 3), (5, 255), (6, 2)] {
            var changed = bytes
            changed[index] = UInt8(value)
            #expect(DecodeJob.decode(changed) == nil, "byte \(index) as \(value)")
        }
    }

    @Test func survivesAnyBytes() {
        var random = SplitMix(state: 1)
        let bytes = full.encoded(slot: 3)
        for _ in 0..<20_000 {
            var changed = bytes
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                changed[Int.random(in: 0..<bytes.count, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            guard let (slot, job) = DecodeJob.decode(changed) else { continue }
            // Whatever is accepted says exactly what its bytes say.
            let again = DecodeJob.decode(job.encoded(slot: slot))
            #expect(again?.slot == slot)
            #expect(again?.job == job)
        }
    }
}

/// A seeded generator, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
