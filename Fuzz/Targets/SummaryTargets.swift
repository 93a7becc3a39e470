internal import UndertoneColor
internal import UndertoneProtocol

extension FuzzTarget {
    /// The validator of summaries: what passes has one spelling and can be answered from.
    static let summary = FuzzTarget(
        name: "summary", maximumBytes: 8192, runs: 500_000,
        seeds: { summarySeeds }
    ) { bytes throws(Violation) in
        guard let summary = try? ImageSummary(validating: bytes) else { return }
        try require(bytes.count <= ImageSummary.maximumEncodedSize, "a summary's size is bounded")
        try require(summary.encoded() == bytes, "a summary has one spelling")
        try requireAnswer(from: summary, average: .linear, contrast: 7)
    }

    /// The reduction of pixels: whatever they are, the daemon takes the summary.
    ///
    /// An input is a few choices, then red, green, blue and alpha, eight bits each or sixteen.
    static let pixels = FuzzTarget(
        name: "pixels", maximumBytes: 256, runs: 5_000,
        seeds: { pixelSeeds }
    ) { bytes throws(Violation) in
        var input = FuzzInput(bytes)
        let isWide = input.byte() & 1 == 1
        let color = RGB8(red: input.byte(), green: input.byte(), blue: input.byte())
        let backdrop = input.byte() & 1 == 1 ? color : nil
        let average = input.choice(of: AverageKind.allCases)
        let contrast = input.double(in: 1...21)
        let values = input.remainder()
        var pixels: [SamplePixel] = []
        let size = isWide ? 8 : 4
        for start in stride(from: 0, through: values.count - size, by: size) {
            var pixel = SamplePixel()
            for channel in 0..<4 {
                let high = UInt16(values[start + channel])
                // Never above 65280: the low byte counts only below the largest high one.
                let low = isWide && high < 255 ? UInt16(values[start + channel + 4]) : 0
                pixel[channel] = high << 8 | low
            }
            pixels.append(pixel)
        }
        if pixels.isEmpty { return }
        let summary = SampleSummaries.summary(of: pixels, backdrop: backdrop, regions: 1)
        let received = try? ImageSummary(validating: summary.encoded())
        try require(received == summary, "the daemon takes what the decoder makes")
        try requireAnswer(from: summary, average: average, contrast: contrast)
    }

    /// Answers from a summary that is valid field by field, and that no picture would give.
    static let answer = FuzzTarget(
        name: "answer", maximumBytes: 2048, runs: 15_000,
        seeds: { answerSeeds }
    ) { bytes throws(Violation) in
        var input = FuzzInput(bytes)
        let average = input.choice(of: AverageKind.allCases)
        let contrast = input.double(in: 1...21)
        let lie = input.summary()
        let received = try? ImageSummary(validating: lie.encoded())
        try require(received == lie, "every field is in its range")
        try requireAnswer(from: lie, average: average, contrast: contrast)
    }

    /// Requires that a question about a summary's picture and regions gets a result.
    static func requireAnswer(
        from summary: ImageSummary, average: AverageKind, contrast: Double
    ) throws(Violation) {
        // Distinct areas, as many as the summary has.
        let regions = summary.regions.indices.map { index in
            let area = RegionRectangle(x: 0, y: Double(index) / 64, width: 1, height: 0.5)
            return (name: "r\(index)", area: area)
        }
        let request = ColorRequest(
            path: Array("/a".utf8), regions: regions, average: average, contrast: contrast)
        let document = try answer(.color(request), from: summary)
        try document.requireResult(
            picture: summary.picture.opacity == 0,
            regions: summary.regions.indices.map { index in
                (name: "r\(index)", mayBeNull: summary.regions[index].opacity == 0)
            })
        var alone = summary
        alone.regions = []
        for others in [
            .palette(PaletteRequest(path: request.job.path, contrast: contrast)),
            .theme(ThemeRequest(path: request.job.path)),
            .indicator(
                IndicatorRequest(
                    path: request.job.path, glyph: request.job.path, average: average,
                    over: .image)),
            .transition(
                TransitionRequest(
                    from: .picture(DecodeJob(path: request.job.path)), to: .color(.black),
                    average: average, contrast: contrast)),
        ] as [PictureQuestion.Request] {
            _ = try answer(others, from: alone)
        }
    }

    private static func answer(
        _ request: PictureQuestion.Request, from summary: ImageSummary
    ) throws(Violation) -> ReplyDocument {
        let question = PictureQuestion(request)
        let summaries = question.jobs.map { _ in summary }
        switch Result(catching: { () throws(RequestError) in try question.reply(from: summaries) })
        {
        case .success(let line): return try ReplyDocument(line)
        case .failure(let error): throw Violation(description: "no reply: \(error.message)")
        }
    }

    private static let summarySeeds = [
        SampleSummaries.transparent, SampleSummaries.gradient(regions: 0),
        SampleSummaries.gradient(regions: 2),
    ].map { $0.encoded() }

    private static let pixelSeeds: [[UInt8]] = [
        [0, 0, 0, 0, 0, 0, 0, 0] + [255, 0, 0, 128, 0, 0, 255, 255],
        [0, 30, 144, 255, 1, 1, 0, 128] + [10, 20, 30, 0, 200, 100, 50, 1, 0, 255, 0, 255],
        [1, 0, 0, 0, 0, 2, 255, 255] + [127, 255, 3, 9, 255, 0, 77, 1],
        [0, 0, 0, 0, 0, 3, 0, 64] + (0..<60).flatMap { [$0, 255 - $0, $0 ^ 85, 255] },
    ]

    private static let answerSeeds: [[UInt8]] = [
        [], (0..<255).map { $0 }, (0..<1024).map { UInt8(truncatingIfNeeded: $0 * 37) },
        [UInt8](repeating: 255, count: 512),
    ]
}

extension FuzzInput {
    /// A summary of up to three regions with any values that the validator lets pass.
    fileprivate mutating func summary() -> ImageSummary {
        let identity = FileIdentity(
            device: integer(), inode: integer(), size: integer(), modified: integer(),
            changed: integer())
        let facts = ImageFacts(
            width: 1 + integer(upTo: ImageSummary.maximumSide - 1),
            height: 1 + integer(upTo: ImageSummary.maximumSide - 1),
            format: choice(of: ImageFormat.allCases), orientation: 1 + integer(upTo: 7),
            profile: choice(of: ProfileUse.allCases), complete: byte() & 1 == 0,
            sampling: choice(of: Sampling.allCases))
        let picture = area()
        let clusters = ColorCluster(
            oklab: SIMD3(Float(double(in: 0...1)), 0.25, -0.25), weight: 1)
        return ImageSummary(
            image: facts, identityBefore: identity, identityAfter: identity, picture: picture,
            regions: (0..<integer(upTo: 3)).map { _ in area() },
            clusters: picture.opacity > 0 ? [clusters] : [])
    }

    private mutating func area() -> AreaSummary {
        var area = AreaSummary()
        area.opacity = double(in: 0...1)
        if area.opacity == 0 { return area }
        area.simple = triple(in: 0...255)
        area.squareRoot = triple(in: 0...255)
        area.linear = triple(in: 0...1)
        area.oklab = triple(in: -0.5...0.5)
        area.oklab.x = double(in: 0...1)
        let ranks = (0..<5).map { _ in double(in: 0...1) }.sorted()
        area.luminance.min = ranks[0]
        area.luminance.p05 = ranks[1]
        area.luminance.p50 = ranks[2]
        area.luminance.p95 = ranks[3]
        area.luminance.max = ranks[4]
        area.luminance.mean = double(in: ranks[0]...ranks[4])
        area.darkestUnderWhiteText = color()
        area.lightestUnderBlackText = color()
        area.underWhiteText = quantiles()
        area.underBlackText = quantiles()
        area.worstUnderBlackScrim = colors()
        area.worstUnderWhiteScrim = colors()
        return area
    }

    private mutating func triple(in range: ClosedRange<Double>) -> SIMD3<Double> {
        SIMD3(double(in: range), double(in: range), double(in: range))
    }

    private mutating func color() -> RGB8 {
        RGB8(red: byte(), green: byte(), blue: byte())
    }

    /// Few different values go a long way, and leave the fuzzer bytes for the rest.
    private mutating func quantiles() -> [UInt16] {
        let values = (0..<4).map { _ in integer(UInt16.self) }
        return (0..<AreaSummary.quantileCount).map { values[$0 % values.count] }.sorted()
    }

    private mutating func colors() -> [RGB8] {
        let colors = (0..<4).map { _ in color() }
        return (0..<256).map { colors[$0 % colors.count] }
    }
}
