import Testing
import UndertoneColor
import UndertoneProtocol

@Suite struct WatchCodingTests {
    static let job = WatchJob(paths: [Array("/a".utf8), Array("/ü/".utf8) + [0xff, 0x0a]])
    static let identity = FileIdentity(
        device: 0x0102, inode: .max, size: 3, modified: -4, changed: .max)
    static let reports: [WatchReport] = [
        .placed(files: [nil], places: []),
        .placed(
            files: [identity, nil],
            places: [
                WatchPlace(watch: 1, name: Array("tmp".utf8)),
                WatchPlace(watch: .max, name: [UInt8](repeating: 0xff, count: 255)),
                WatchPlace(watch: 2, name: []),
            ]),
        .failure(RequestError(.watchUnsupported, "no events on naïve systems")),
        .failure(RequestError(.busy, "")),
    ]

    @Test func packsTheFieldsInTheirOrder() {
        #expect(
            WatchJob(paths: [Array("/a".utf8)]).encoded(slot: 0x0102_0304)
                == [1, 4, 3, 2, 1, 0x80, 1, 2, 0, UInt8(ascii: "/"), UInt8(ascii: "a")])
        #expect(
            WatchJob(paths: [Array("/a".utf8)], placesWatches: false).encoded(slot: 1)
                == [1, 1, 0, 0, 0, 0x81, 1, 2, 0, UInt8(ascii: "/"), UInt8(ascii: "a")])
        let place = WatchPlace(watch: 7, name: [0x61, 0x62])
        #expect(
            WatchReport.placed(files: [nil], places: [place]).encoded()
                == [1, 0, 1, 0, 1, 0, 7, 0, 0, 0, 2, 0x61, 0x62])
    }

    @Test(arguments: [true, false])
    func aJobComesBackAsItWas(placesWatches: Bool) throws {
        let sent = WatchJob(paths: Self.job.paths, placesWatches: placesWatches)
        let (slot, job) = try #require(WatchJob.decode(sent.encoded(slot: .max)))
        #expect(slot == .max)
        #expect(job == sent)
    }

    @Test func refusesEveryOtherMark() {
        var bytes = Self.job.encoded(slot: 1)
        for mark in UInt8.min ... .max where mark != 0x80 && mark != 0x81 {
            bytes[5] = mark
            #expect(WatchJob.decode(bytes) == nil)
        }
    }

    @Test func neitherKindOfJobIsTakenForTheOther() throws {
        let picture = DecodeJob(path: Array("/a".utf8))
        #expect(DecodeJob.decode(Self.job.encoded(slot: 1)) == nil)
        #expect(WatchJob.decode(picture.encoded(slot: 1)) == nil)
        for job in [ZygoteJob.watch(Self.job), .decode(picture)] {
            #expect(ZygoteJob.decode(job.encoded(slot: 9))?.job == job)
        }
    }

    @Test func theLargestJobFits() {
        let path = [UInt8](repeating: UInt8(ascii: "/"), count: 4095)
        let job = WatchJob(paths: [path, path])
        let bytes = job.encoded(slot: 7)
        #expect(bytes.count <= WatchJob.maximumEncodedBytes)
        #expect(WatchJob.decode(bytes)?.job == job)
        #expect(WatchJob.decode(WatchJob(paths: [path + path]).encoded(slot: 7)) == nil)
    }

    @Test func refusesNoPathsTooManyAndBadOnes() {
        let path = Array("/a".utf8)
        let bad: [[[UInt8]]] = [
            [], [path, path, path], [[]], [Array("a/b".utf8)], [path, [0x2f, 0]],
        ]
        for paths in bad {
            #expect(WatchJob.decode(WatchJob(paths: paths).encoded(slot: 1)) == nil)
        }
    }

    @Test func refusesEveryOtherLengthOfAJob() {
        let bytes = Self.job.encoded(slot: 3)
        for length in 0..<bytes.count {
            #expect(WatchJob.decode(Array(bytes.prefix(length))) == nil)
        }
        #expect(WatchJob.decode(bytes + [0]) == nil)
    }

    @Test(arguments: reports)
    func aReportComesBackAsItWas(_ report: WatchReport) throws {
        #expect(try WatchReport(validating: report.encoded()) == report)
    }

    @Test func theLargestReportFits() throws {
        let names = (0..<Limits.watchPlaces).map { _ in [UInt8](repeating: 0x61, count: 255) }
        let places = names.map { WatchPlace(watch: .max, name: $0) }
        let files = [FileIdentity?](repeating: Self.identity, count: Limits.watchPictures)
        let report = WatchReport.placed(files: files, places: places)
        #expect(report.encoded().count <= Limits.reportBytes)
        #expect(try WatchReport(validating: report.encoded()) == report)
        let more = WatchReport.placed(files: files, places: places + places.prefix(1))
        #expect(throws: ReportFault.malformedPlaces) {
            try WatchReport(validating: more.encoded())
        }
    }

    @Test(arguments: reports)
    func refusesEveryOtherLengthOfAReport(_ report: WatchReport) {
        let bytes = report.encoded()
        for length in 0..<bytes.count {
            #expect(throws: ReportFault.self) {
                try WatchReport(validating: Array(bytes.prefix(length)))
            }
        }
        #expect(throws: ReportFault.self) { try WatchReport(validating: bytes + [0]) }
    }

    @Test func refusesCodesThatAWatchCannotFailWith() {
        let error = RequestError(.decodeFailed, "damaged")
        #expect(throws: ReportFault.malformedFailure) {
            try WatchReport(validating: WatchReport.failure(error).encoded())
        }
        #expect(throws: ReportFault.malformedPlaces) {
            let place = WatchPlace(watch: -1, name: [])
            _ = try WatchReport(
                validating: WatchReport.placed(files: [], places: [place]).encoded())
        }
    }

    @Test func survivesAnyBytes() throws {
        var random = SplitMix(state: 1)
        for bytes in Self.reports.map({ $0.encoded() }) {
            for _ in 0..<5000 {
                var changed = bytes
                for _ in 0...Int.random(in: 0..<4, using: &random) {
                    changed[Int.random(in: 0..<bytes.count, using: &random)] = .random(
                        in: 0...255, using: &random)
                }
                guard let report = try? WatchReport(validating: changed) else { continue }
                // Whatever is accepted has one spelling.
                #expect(report.encoded() == changed)
            }
        }
    }
}
