internal import UndertoneColor
internal import UndertoneProtocol

extension FuzzTarget {
    /// What the zygote takes as a job.
    static let job = FuzzTarget(
        name: "job", maximumBytes: ZygoteJob.maximumEncodedBytes, runs: 2_000_000,
        seeds: { jobSeeds }
    ) { bytes throws(Violation) in
        guard let (slot, job) = DecodeJob.decode(bytes) else {
            guard let (slot, job) = WatchJob.decode(bytes) else { return }
            return try require(job.encoded(slot: slot) == bytes, "a watch has one spelling")
        }
        let again = try require(DecodeJob.decode(job.encoded(slot: slot)), "a job can be sent on")
        // Packets differ in the unused colour only.
        try require(again.slot == slot && again.job == job, "a job arrives unchanged")
        try require(job.path.first == UInt8(ascii: "/"), "a path is absolute")
        try require(!job.path.contains(0), "a path holds no NUL")
        try require(job.path.count < Limits.pathBytes, "a path is one that the kernel takes")
        try require(job.regions.count <= Limits.regions, "the regions are few")
        for region in job.regions {
            let fits =
                region.x >= 0 && region.y >= 0 && region.width > 0 && region.height > 0
                && region.x + region.width < 1.001 && region.y + region.height < 1.001
            try require(fits, "\(region) is within the picture")
        }
    }

    /// What the daemon takes as an event from the zygote.
    static let event = FuzzTarget(
        name: "event", maximumBytes: 2 * ZygoteEvent.maximumEncodedBytes, runs: 2_000_000,
        seeds: { eventSeeds }
    ) { bytes throws(Violation) in
        guard let event = ZygoteEvent(validating: bytes) else { return }
        try require(event.encoded() == bytes, "an event has one spelling: \(event)")
        try require(bytes.count <= ZygoteEvent.maximumEncodedBytes, "an event is short")
    }

    /// What the daemon takes as a report from a child that placed watches.
    static let places = FuzzTarget(
        name: "places", maximumBytes: 8192, runs: 1_500_000,
        seeds: { placesSeeds }
    ) { bytes throws(Violation) in
        guard let report = try? WatchReport(validating: bytes) else { return }
        try require(report.encoded() == bytes, "a report has one spelling: \(report)")
        switch report {
        case .placed(let files, let places):
            try require(files.count <= Limits.watchPictures, "the files are few")
            try require(places.count <= Limits.watchPlaces, "the places are few")
        case .failure(let error):
            try require(WatchReport.failureCodes.contains(error.code), "a child may say that")
        }
    }

    /// What the daemon takes as a report from a child.
    static let report = FuzzTarget(
        name: "report", maximumBytes: 8192, runs: 200_000,
        seeds: { reportSeeds }
    ) { bytes throws(Violation) in
        guard let report = try? DecodeReport(validating: bytes) else { return }
        try require(report.encoded() == bytes, "a report has one spelling: \(report)")
        switch report {
        case .summary(let summary):
            try requireAnswer(from: summary, average: .simple, contrast: 4.5)
        case .failure(let error):
            let reply = Reply.error(id: .integer(1), error)
            try ReplyDocument(reply).requireID(.integer(1))
            try require(DecodeReport.failureCodes.contains(error.code), "a child may say that")
        case .needsWideProfile: break
        }
    }

    private static let jobSeeds =
        [
            DecodeJob(path: Array("/a".utf8)),
            DecodeJob(
                path: Array("/home/ü/".utf8) + [0xff, 0x0a], sampling: .exact, backdrop: .white,
                regions: [
                    RegionRectangle(x: 0, y: 0.88, width: 1, height: 0.12),
                    RegionRectangle(x: 0.25, y: 0.5, width: 0.125, height: 0.0001),
                ]),
        ].map { $0.encoded(slot: 3) } + [
            WatchJob(paths: [Array("/a".utf8), Array("/ü".utf8)]).encoded(slot: 3),
            WatchJob(paths: [Array("/a".utf8)], placesWatches: false).encoded(slot: 3),
        ]

    private static let placesSeeds = [
        WatchReport.placed(
            files: [FileIdentity(device: 1, inode: 2, size: 3, modified: 4, changed: 5), nil],
            places: [
                WatchPlace(watch: 1, name: Array("home".utf8)), WatchPlace(watch: 2, name: []),
            ]),
        .placed(files: [], places: []), .failure(RequestError(.watchUnsupported, "no events")),
    ].map { $0.encoded() }

    private static let eventSeeds = [
        ZygoteEvent.ready(
            DecoderCapabilities(formats: [.png, .jpeg, .svg], landlock: 4, seccomp: true)),
        .ready(DecoderCapabilities(formats: [], landlock: 0, seccomp: false)),
        .started(slot: 1, pid: 4711), .notStarted(slot: 2, errno: 11),
        .exited(slot: 3, code: 0, signal: 0), .exited(slot: 4, code: 1, signal: 0),
        .exited(slot: 5, code: 0, signal: 9), .outdated, .prepared,
    ].map { $0.encoded() }

    private static let reportSeeds = [
        DecodeReport.needsWideProfile, .failure(RequestError(.notFound, "no such file")),
        .failure(
            RequestError(.unsupportedFormat, "no loader for „WebP“", package: "webp-pixbuf-loader")),
        .summary(SampleSummaries.transparent), .summary(SampleSummaries.gradient(regions: 1)),
    ].map { $0.encoded() }
}
