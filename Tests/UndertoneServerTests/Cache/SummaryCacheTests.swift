import GLibSupport
import TestSupport
import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneServer

@Suite struct SummaryCacheTests {
    init() { MainContextThread.start() }

    static func summary(grey: UInt16) -> ImageSummary {
        let pixels = [SamplePixel(grey << 8, grey << 8, grey << 8, 65280)]
        var accumulator = AreaAccumulator(backdrop: nil)
        unsafe pixels.withUnsafeBufferPointer { unsafe accumulator.add($0, weights: nil) }
        let identity = identity(UInt64(grey))
        return ImageSummary(
            image: ImageFacts(
                width: 1, height: 1, format: .png, orientation: 1, profile: .none, complete: true,
                sampling: .auto),
            identityBefore: identity, identityAfter: identity, picture: accumulator.summary(),
            regions: [], clusters: [ColorCluster(oklab: SIMD3(0.5, 0, 0), weight: 1)])
    }

    static func identity(_ inode: UInt64) -> FileIdentity {
        FileIdentity(device: 1, inode: inode, size: 3, modified: 4, changed: 5)
    }

    static func key(_ grey: UInt16) -> DecodeSchedule.Key {
        DecodeSchedule.Key(DecodeJob(path: [0x2f]), identity: identity(UInt64(grey)))
    }

    private static func question(contrast: Double = 4.5) -> PictureQuestion {
        PictureQuestion(.color(ColorRequest(path: [0x2f], contrast: contrast)))
    }

    @Test func anAnswerIsTheReplyMadeOfTheSummary() async throws {
        try await Self.answering()
    }

    @MainContext private static func answering() throws {
        let cached = CachedSummary(summary(grey: 60))
        for contrast in [1, 3, 4.5, 7, 21, 4.5] as [Double] {
            let question = question(contrast: contrast)
            let expected = try question.reply(from: [summary(grey: 60)])
            #expect(try cached.reply(to: question).line == expected)
        }
    }

    @Test func whatAnswersTakeIsChargedAndBounded() async throws {
        try await Self.charging()
    }

    @MainContext private static func charging() throws {
        var cache = SummaryCache(bytes: 1 << 20)
        let cached = CachedSummary(summary(grey: 60))
        let key = key(60)
        cache.insert(cached, for: key)
        let empty = cache.bytes
        #expect(empty == cached.bytes)
        _ = try cache.reply(to: question(), from: [cached])
        let one = cache.bytes
        #expect(one > empty)
        _ = try cache.reply(to: question(), from: [cached])
        #expect(cache.bytes == one)
        for step in 0..<100 {
            _ = try cache.reply(
                to: question(contrast: 1 + Double(step) / 5), from: [cached])
        }
        #expect(cache.bytes == cached.bytes)
        #expect(cache.bytes - empty < 5 * (one - empty))
    }

    @Test func summariesAreForgottenAtTheBound() async throws {
        try await Self.forgetting()
    }

    @MainContext private static func forgetting() throws {
        let size = CachedSummary(summary(grey: 0)).bytes
        var cache = SummaryCache(bytes: 10 * size)
        for grey in 0..<100 as Range<UInt16> {
            cache.insert(CachedSummary(summary(grey: grey)), for: key(grey))
            #expect(cache.bytes <= 10 * size)
        }
        #expect(cache.count == 10)
        let kept = (0..<100 as Range<UInt16>).filter { cache.summary(for: key($0)) != nil }
        #expect(kept == Array(90..<100))
        // Answering from one that is forgotten changes no account.
        let gone = CachedSummary(summary(grey: 1))
        gone.key = key(1)
        let before = cache.bytes
        _ = try cache.reply(to: question(), from: [gone])
        #expect(cache.bytes == before)
    }

    @Test func crashersAreRememberedUpToABound() async {
        await Self.remembering()
    }

    @MainContext private static func remembering() {
        var cache = SummaryCache(bytes: 0)
        for inode in 0...UInt64(Limits.crashers) { cache.insertCrasher(identity(inode)) }
        var changed = identity(1)
        changed.changed += 1
        let asked = [identity(0), identity(1), identity(UInt64(Limits.crashers)), changed]
        let found = asked.map { cache.isCrasher($0) }
        #expect(found == [false, true, true, false])
    }
}
