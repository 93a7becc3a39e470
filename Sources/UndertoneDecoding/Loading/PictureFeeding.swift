import UndertoneColor
import UndertoneProtocol

/// The passage of a picture's bytes through its loader.
struct PictureFeeding {
    private let outline: PictureOutline
    private let plan: DecodingPlan
    private let loader: PixbufLoader
    private var failure: PixbufLoader.Failure?
    /// What the loader had written before it was told of the end: what follows may be filler.
    private var decoded = RowCoverage()
    /// What it had written when the data alone could not be short of a bit.
    private var confirmed: RowCoverage?

    /// What decides whether a JPEG's last scan is whole: set bits, which are no code's beginning.
    /// A decoder that still lacks data takes them for one or two blocks and asks for more, while
    /// one that has all only looks ahead.
    private static let scanProbe = [UInt8](repeating: 0, count: 24).indices.map { index in
        index % 2 == 0 ? UInt8(0xFF) : 0
    }
    private static let endOfJPEG: [UInt8] = [0xFF, 0xD9]
    private static let endOfGIF: [UInt8] = [0x3B]

    /// Opens the loader of an outlined picture.
    init(_ outline: PictureOutline, plan: DecodingPlan) throws(RequestError) {
        self.outline = outline
        self.plan = plan
        let module = LoaderModule(for: outline.embedded ?? plan.format)
        guard let name = module.installedName() else {
            throw RequestError(
                .unsupportedFormat, "no loader for \(plan.format.name) is installed",
                package: module.package)
        }
        do throws(PixbufLoader.Failure) {
            loader = try PixbufLoader(module: name, decide: plan.decide)
        } catch {
            throw RequestError(.internal, "the \(name) loader does not load: \(error.message)")
        }
    }

    /// Feeds the parts of a whole file that the picture needs, and its end.
    mutating func feed(_ file: Span<UInt8>) {
        if outline.pieces.allSatisfy({ $0.isFile }) {
            for case .file(let range) in outline.pieces { write(file.extracting(range)) }
        } else {
            // A header must come in one write.
            write(joined(file).span)
        }
        decoded = loader.coverage
        if outline.end != .missing { writeEnd() }
    }

    private func joined(_ file: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(file.count)
        for piece in outline.pieces {
            switch piece {
            case .file(let range): for offset in range { bytes.append(file[offset]) }
            case .substitute(let substitute): bytes += substitute
            }
        }
        return bytes
    }

    /// Feeds the next piece of a file too large to be read whole; false if no more is wanted.
    mutating func feedPiece(_ piece: Span<UInt8>) -> Bool {
        write(piece)
        decoded = loader.coverage
        return failure == nil
    }

    private mutating func writeEnd() {
        switch plan.format {
        case .jpeg:
            guard let scans = outline.scans, !scans.isArithmetic else { return }
            if scans.canBeProbed {
                write(Self.scanProbe.span)
                confirmed = loader.coverage
            }
            write(Self.endOfJPEG.span)
        case .gif:
            write(Self.endOfGIF.span)
        case .pnm:
            // The last of a plain picture's numbers ends with a blank, or with the file.
            write([0x0A].span)
            decoded = loader.coverage
        default:
            break
        }
    }

    private mutating func write(_ bytes: Span<UInt8>) {
        if failure != nil { return }
        do throws(PixbufLoader.Failure) {
            try loader.write(bytes)
        } catch {
            failure = error
        }
    }

    /// Ends the feeding, and takes the picture or says why there is none.
    mutating func finish() throws(RequestError) -> DecodedPicture {
        if failure == nil {
            do throws(PixbufLoader.Failure) {
                try loader.close()
            } catch {
                failure = error
            }
        }
        if loader.isRefused, let size = loader.size { try plan.check(size) }
        if let failure, failure.isLackOfMemory {
            throw RequestError(.imageTooLarge, failure.message)
        }
        guard let pixbuf = loader.pixbuf() else { throw decodeFailed() }
        let size = loader.size ?? pixbuf.size
        var picture = DecodedPicture(pixbuf: pixbuf, statedSize: size)
        if pixbuf.size != size {
            guard pixbuf.size == plan.decodedSize(of: size) else { throw decodeFailed() }
            picture.scale = plan.scale(of: size)
        }
        if plan.format == .svg { pixbuf.fillMargins(of: size) }
        picture.adopt(outline)
        if !isComplete(pixbuf) {
            picture.knownRows = try knownRows(pixbuf)
        }
        return picture
    }

    private func decodeFailed() -> RequestError {
        // What a loader says of a file that is cut is seldom to the point.
        let reason = outline.end == .missing ? "the file ends before the picture does" : nil
        return RequestError(
            .decodeFailed,
            reason ?? failure?.message ?? "nothing of the picture could be decoded")
    }
}

extension PictureFeeding {
    private func isComplete(_ pixbuf: Pixbuf) -> Bool {
        guard failure == nil, outline.end != .missing else { return false }
        let height = pixbuf.size.height
        if outline.isAnimated { return true }
        if let scans = outline.scans {
            let coverage = confirmed ?? loader.coverage
            return outline.isDetailed && coverage.containsAll(height, passes: scans.passes)
        }
        switch plan.format {
        // These loaders report the rows that they have written; WebP's reports all when it closes.
        case .png, .jpeg, .webp, .bmp, .ico, .pnm: return decoded.containsAll(height)
        // This one decodes when it closes.
        case .tiff: return loader.coverage.containsAll(height)
        // The first frame may be smaller than the picture, and is reported whole in any case.
        case .gif: return outline.end == .seen
        // These report nothing, or the whole, and fail if anything is missing.
        case .avif, .heic, .svg: return true
        }
    }

    /// The rows of an incomplete picture that are known.
    private func knownRows(_ pixbuf: Pixbuf) throws(RequestError) -> [Bool] {
        let rows = 0..<pixbuf.size.height
        let known: [Bool]
        switch plan.format {
        case .png, .webp, .bmp, .pnm:
            known = rows.map { decoded.contains($0) }
        case .jpeg:
            guard let passes = outline.scans?.passesUntilColored else { throw decodeFailed() }
            known = rows.map { decoded.passes($0) >= passes }
        case .gif:
            // The loader reports the whole frame whatever it got, and leaves the rest transparent.
            known = rows.map { pixbuf.hasVisiblePixel(inRow: $0) }
        // Of an icon the transparency comes last. The others tell nothing of their parts.
        case .ico, .tiff, .avif, .heic, .svg:
            throw decodeFailed()
        }
        if !known.contains(true) { throw decodeFailed() }
        return known
    }
}
