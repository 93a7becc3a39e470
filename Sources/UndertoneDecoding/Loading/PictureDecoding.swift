import UndertoneColor
import UndertoneProtocol

/// The decoding of one picture, from its file to its report.
struct PictureDecoding {
    private var file: PictureFile
    private let descriptor: Int32
    private let job: DecodeJob
    private let identity: FileIdentity

    /// Prepares to decode; nothing is read yet.
    init(file: PictureFile, descriptor: Int32, job: DecodeJob, identity: FileIdentity) {
        self.file = file
        self.descriptor = descriptor
        self.job = job
        self.identity = identity
    }

    /// Sniffs, decodes and reduces the picture.
    mutating func run(allowWide: Bool) throws(RequestError) -> DecodeReport {
        let length = Int(clamping: identity.size)
        if length == 0 { throw RequestError(.decodeFailed, "the file is empty") }
        if length > Limits.fileBytes {
            throw RequestError(.imageTooLarge, "the file is larger than 1 GiB")
        }
        try file.fill(upTo: min(length, ImageFormat.sniffedBytes))
        guard let format = ImageFormat.sniff(file.bytes.span) else {
            throw RequestError(.unsupportedFormat, "the file is not of a known picture format")
        }
        if format.needsWideProfile && !allowWide { return .needsWideProfile }
        let module = LoaderModule(for: format)
        guard let name = module.installedName() else {
            throw RequestError(
                .unsupportedFormat, "no loader for \(format.name) is installed",
                package: module.package)
        }
        let picture = try decode(format, module: name, length: length)
        return .summary(try summarize(picture, format))
    }
}

extension PictureDecoding {
    private mutating func decode(
        _ format: ImageFormat, module: String, length: Int
    ) throws(RequestError) -> DecodedPicture {
        let isWhole = length <= Limits.wholeFileBytes
        try file.fill(upTo: isWhole ? length : Limits.pieceBytes)
        let outline = PictureOutline(format, file.bytes.span, fileLength: length)
        let plan = DecodingPlan(format: format, sampling: job.sampling)
        if let size = outline.size { try plan.check(size) }
        let loader: PixbufLoader
        do throws(PixbufLoader.Failure) {
            loader = try PixbufLoader(module: module, decide: plan.decide)
        } catch {
            throw RequestError(.internal, "the \(format.name) loader: \(error.message)")
        }
        var failure: PixbufLoader.Failure?
        do throws(PixbufLoader.Failure) {
            try loader.write(
                file.bytes.span.extracting(0..<min(outline.length, file.bytes.count)))
        } catch {
            failure = error
        }
        while !isWhole, failure == nil {
            try file.advance(by: Limits.pieceBytes)
            if file.bytes.isEmpty { break }
            do throws(PixbufLoader.Failure) {
                try loader.write(file.bytes.span)
            } catch {
                failure = error
            }
        }
        if failure == nil {
            do throws(PixbufLoader.Failure) {
                try loader.close()
            } catch {
                failure = error
            }
        }
        try confirmIdentity()
        if loader.isRefused, let size = loader.size { try plan.check(size) }
        guard let pixbuf = loader.pixbuf() else {
            throw RequestError(
                .decodeFailed, failure?.message ?? "the picture holds nothing that can be decoded")
        }
        let isComplete =
            failure == nil && outline.end != .missing
            && (outline.end == .unknown || loader.coverage.containsAll(pixbuf.size.height))
        return DecodedPicture(
            pixbuf: pixbuf, original: loader.size ?? pixbuf.size,
            scale: plan.jpegScale(of: loader.size ?? pixbuf.size),
            coverage: isComplete ? nil : loader.coverage,
            orientation: Orientation(
                rawValue: pixbuf.option("orientation").flatMap { Int($0) }
                    ?? outline.orientation ?? 1) ?? .upright)
    }

    private func confirmIdentity() throws(RequestError) {
        if try FileIdentity.of(descriptor: descriptor) != identity {
            throw RequestError(.fileChanged, "the file changed while it was read")
        }
    }

    private func summarize(
        _ picture: DecodedPicture, _ format: ImageFormat
    ) throws(RequestError) -> ImageSummary {
        let profile = picture.convertToSRGB()
        let sample = SampleReducer(original: picture.original, scale: picture.scale)
            .reduce(picture.pixbuf, isKnown: picture.isKnown)
        let summarizer = SampleSummarizer(
            sample, orientation: picture.orientation, backdrop: job.backdrop)
        let regions = [.picture] + job.regions
        let areas =
            job.sampling == .exact
            ? ExactSummarizer(picture, backdrop: job.backdrop).summarize(regions)
            : regions.map(summarizer.summarize)
        let displayed = picture.orientation.turned(picture.original)
        return ImageSummary(
            image: ImageFacts(
                width: displayed.width, height: displayed.height, format: format,
                orientation: picture.orientation.rawValue, profile: profile,
                complete: picture.coverage == nil,
                sampling: job.sampling == .exact ? .exact : .auto),
            identityBefore: identity, identityAfter: identity,
            picture: areas[0], regions: Array(areas.dropFirst()), clusters: summarizer.clusters())
    }
}
