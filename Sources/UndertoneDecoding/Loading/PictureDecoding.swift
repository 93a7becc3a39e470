import CLinux
import UndertoneColor
import UndertoneProtocol

/// The decoding of one picture, from its file to its report.
struct PictureDecoding {
    var file: PictureFile
    private let descriptor: Int32
    private let job: DecodeJob
    let identity: FileIdentity
    /// What may stand in for the picture, the most welcome one first.
    let thumbnails: [Thumbnail]
    /// What was decoded; kept so that its memory is given back as late as this is.
    private var picture: DecodedPicture?
    /// Bytes of a file that are read at once, and of the pieces in which larger ones are read.
    private let wholeFileBytes, pieceBytes: Int

    /// Prepares to decode; nothing is read yet.
    init(
        descriptor: Int32, job: DecodeJob, identity: FileIdentity, thumbnails: [Thumbnail] = [],
        wholeFileBytes: Int = Limits.wholeFileBytes, pieceBytes: Int = Limits.pieceBytes
    ) {
        file = PictureFile(descriptor: descriptor)
        self.wholeFileBytes = wholeFileBytes
        self.pieceBytes = pieceBytes
        self.descriptor = descriptor
        self.job = job
        self.identity = identity
        self.thumbnails = thumbnails
    }

    /// Sniffs, decodes and reduces the picture.
    mutating func run(allowWide: Bool) throws(RequestError) -> DecodeReport {
        let length = Int(clamping: identity.size)
        if length == 0 { throw RequestError(.decodeFailed, "the file is empty") }
        if length > Limits.fileBytes {
            throw RequestError(.imageTooLarge, "the file is larger than 1 GiB")
        }
        try file.fill(upTo: min(length, ImageFormat.sniffedBytes, pieceBytes))
        if ImageFormat.sniff(file.bytes.span) == nil, SVGSniffer.mayBegin(file.bytes.span) {
            // A licence, or a document type with entities, may come first.
            try file.fill(upTo: min(length, SVGSniffer.prologBytes, pieceBytes))
        }
        guard let format = ImageFormat.sniff(file.bytes.span) else {
            throw RequestError(.unsupportedFormat, "the file is not of a known picture format")
        }
        if let summary = summaryOfThumbnail(format, length: length) { return .summary(summary) }
        if format.needsWideProfile && !allowWide { return .needsWideProfile }
        let picture = try decode(format, length: length)
        self.picture = picture
        let displayed = picture.orientation.turned(picture.statedSize)
        let facts = ImageFacts(
            width: displayed.width, height: displayed.height, format: format,
            orientation: picture.statedOrientation, profile: .none,
            complete: picture.knownRows == nil,
            sampling: job.sampling == .exact ? .exact : .auto)
        return .summary(summarize(picture, facts))
    }

    private mutating func decode(
        _ format: ImageFormat, length: Int
    ) throws(RequestError) -> DecodedPicture {
        // What the first bytes say of the size may make it needless to read the rest.
        var plan = DecodingPlan(format: format, sampling: job.sampling)
        try plan.check(PictureOutline.read(format, file.bytes.span, fileLength: length))

        let isWhole = length <= wholeFileBytes
        if length > plan.fileBytes {
            throw RequestError(
                .imageTooLarge, "a file in this format has at most \(plan.fileBytes >> 20) MiB")
        }
        try file.fill(upTo: isWhole ? length : pieceBytes)
        if isWhole { try confirmIdentity() }
        let outline = try PictureOutline.read(
            format, file.bytes.span, fileLength: isWhole ? file.bytes.count : length)
        try plan.check(outline)
        plan.aspectRatio = outline.aspectRatio
        let picture = try decode(outline, plan, isWhole: isWhole)
        if isWhole, isDoubtful(picture, outline) {
            plan.allowsScaling = false
            // What is too large to be decoded whole keeps the mean that it has.
            let isSmall = outline.size?.pixels ?? .max <= Limits.secondPixels
            if isSmall, (try? plan.check(outline)) != nil {
                return (try? decode(outline, plan, isWhole: true)) ?? picture
            }
        }
        return picture
    }

    private mutating func decode(
        _ outline: PictureOutline, _ plan: DecodingPlan, isWhole: Bool
    ) throws(RequestError) -> DecodedPicture {
        var outline = plan.selectScans(outline)
        var written =
            isWhole
            ? SequentialJPEG.ofFirstCoefficients(file.bytes.span, outline: outline, plan: plan)
            : nil
        let memory = plan.memory(for: written?.outline ?? outline)
        if Limits.hugePageBytes.contains(memory) {
            clinux_prefer_huge_pages(memory)
        } else {
            clinux_ready_heap(plan.heap(for: written?.outline ?? outline))
        }
        if isWhole, written == nil {
            written = SequentialJPEG.ofAllCoefficients(
                file.bytes.span, outline: outline, plan: plan)
        }
        if let written { outline = written.outline }
        var feeding = try PictureFeeding(outline, plan: plan)
        if let written {
            feeding.feed(written.bytes.span)
        } else if isWhole || outline.isInside(file.bytes.count) {
            feeding.feed(file.bytes.span)
        } else {
            while !file.bytes.isEmpty, feeding.feedPiece(file.bytes.span) {
                try file.advance(by: pieceBytes)
            }
            feeding.endPieces()
        }
        if !isWhole { try confirmIdentity() }
        // Some loaders have a copy, and allocate the pixels only now; a JPEG may be fed twice.
        if plan.format != .jpeg { file.discard() }
        return try feeding.finish()
    }

    /// Whether a JPEG must be decoded once more, at its full size.
    private func isDoubtful(_ picture: DecodedPicture, _ outline: PictureOutline) -> Bool {
        guard picture.scale > 1, let coding = outline.coding else { return false }
        let estimate = RingingEstimate(picture.pixbuf, scale: picture.scale, coding: coding)
        let regions = ([.picture] + job.regions).map {
            StoredRegion($0, in: picture.pixbuf.size, orientation: picture.orientation)
        }
        return estimate.isDoubtful(regions)
    }

    /// Refuses a file that is not what it was.
    func confirmIdentity() throws(RequestError) {
        if try FileIdentity.of(descriptor: descriptor) != identity {
            throw RequestError(.fileChanged, "the file changed while it was read")
        }
    }

    /// Reduces a decoded picture.
    ///
    /// - Parameter facts: What is said of it; what became of its profile is filled in here.
    func summarize(_ picture: DecodedPicture, _ facts: ImageFacts) -> ImageSummary {
        var facts = facts
        facts.profile = picture.convertToStraightSRGB()
        let regions = [.picture] + job.regions
        let areas: [AreaSummary]
        let clusters: [ColorCluster]
        if job.sampling == .exact {
            let summarizer = ExactSummarizer(picture, backdrop: job.backdrop)
            areas = summarizer.summarize(regions)
            clusters = summarizer.clusters()
        } else {
            let sample = SampleReducer(original: picture.original, scale: picture.scale)
                .reduce(picture.pixbuf, isKnown: picture.isKnown)
            let summarizer = SampleSummarizer(
                sample, orientation: picture.orientation, backdrop: job.backdrop)
            areas = regions.map(summarizer.summarize)
            clusters = summarizer.clusters()
        }
        return ImageSummary(
            image: facts, identityBefore: identity, identityAfter: identity,
            picture: areas[0], regions: Array(areas.dropFirst()), clusters: clusters)
    }
}
