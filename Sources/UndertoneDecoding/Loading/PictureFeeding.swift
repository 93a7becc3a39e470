import UndertoneColor
import UndertoneProtocol

/// The passage of a picture's bytes through its loader.
struct PictureFeeding {
    let outline: PictureOutline
    let plan: DecodingPlan
    private(set) var loader: PixbufLoader
    private(set) var failure: PixbufLoader.Failure?
    /// What the loader had written before it was told of the end: what follows may be filler.
    private(set) var decoded = RowCoverage()
    /// What it had written before it was closed, which makes some loaders report what they lack.
    private(set) var fed = RowCoverage()
    /// What it had written when a JPEG's data alone could not be short of a bit.
    private(set) var confirmed: RowCoverage?

    /// Whether a picture in pieces of which the end was looked for has none.
    private(set) var lacksEnd = false

    /// What of a PNG in pieces is left out.
    private var chunks = PNGChunkFilter()
    private var markers = JPEGMarkers()

    /// What decides whether a JPEG's last scan is whole: set bits, which are no code's beginning.
    /// A decoder that still lacks data takes them for one or two blocks and asks for more, while
    /// one that has all only looks ahead.
    private static let scanProbe = (0..<12).flatMap { _ in [0xFF, 0x00] as [UInt8] }
    private static let endOfJPEG: [UInt8] = [0xFF, 0xD9]
    private static let endOfGIF: [UInt8] = [0x3B]

    /// Opens the loader of an outlined picture.
    init(_ outline: PictureOutline, plan: DecodingPlan) throws(RequestError) {
        self.outline = outline
        self.plan = plan
        loader = try Self.openLoader(outline, plan)
    }

    private static func openLoader(
        _ outline: PictureOutline, _ plan: DecodingPlan
    ) throws(RequestError) -> PixbufLoader {
        let module = LoaderModule(for: outline.embedded ?? plan.format)
        guard let name = module.installedName() else {
            throw RequestError(
                .unsupportedFormat, "no loader for \(plan.format.name) is installed",
                package: module.package)
        }
        do throws(PixbufLoader.Failure) {
            return try PixbufLoader(module: name, decide: plan.decide)
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
        if let failure {
            if !failure.isLackOfMemory, !loader.isRefused { salvage(file) }
            return
        }
        decoded = loader.coverage
        if outline.end != .missing { writeEnd() }
        fed = loader.coverage
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

    /// Feeds a damaged picture again, a little at a time.
    ///
    /// A loader closes itself as it fails, and may then report filler; or it has not yet reported
    /// what it had. So only what stood before the write that fails is known.
    private mutating func salvage(_ file: Span<UInt8>) {
        do throws(RequestError) {
            loader = try Self.openLoader(outline, plan)
        } catch {
            return
        }
        for case .file(let range) in outline.pieces {
            let step = max(256, range.count / 256)
            for start in stride(from: range.lowerBound, to: range.upperBound, by: step) {
                let piece = file.extracting(start..<min(start + step, range.upperBound))
                do throws(PixbufLoader.Failure) {
                    try loader.write(piece)
                } catch {
                    return
                }
                decoded = loader.coverage
            }
        }
    }

    /// Feeds the next piece of a file too large to be read whole; false if no more is wanted.
    mutating func feedPiece(_ piece: Span<UInt8>) -> Bool {
        guard plan.format == .png else {
            if plan.format == .jpeg { markers.pass(piece) }
            write(piece)
            return endPiece()
        }
        for part in chunks.parts(of: piece) {
            switch part {
            case .file(let range): write(piece.extracting(range))
            case .substitute(let bytes): write(bytes.span)
            }
        }
        return endPiece()
    }

    private mutating func endPiece() -> Bool {
        if failure != nil { return false }
        decoded = loader.coverage
        return true
    }

    /// Says that no more pieces come.
    mutating func endPieces() {
        // Other formats bring their own ends.
        if failure == nil, plan.format == .pnm, outline.end == .unknown { writeEnd() }
        fed = decoded
        switch plan.format {
        case .jpeg: lacksEnd = !markers.haveEnded
        case .png: lacksEnd = !chunks.haveEnded
        default: break
        }
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
            if failure == nil { decoded = loader.coverage }
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
        // Not every loader says what it lacked.
        let isLarge = outline.isUnread && outline.loaderBytes >= Limits.childDataBytes / 2
        if let failure, failure.isLackOfMemory || isLarge {
            throw RequestError(.imageTooLarge, failure.message)
        }
        guard let pixbuf = loader.pixbuf() else { throw decodeFailed() }
        let size = loader.size ?? pixbuf.size
        // A part of a pixel counts as one.
        let stated = PixelSize(width: max(1, size.width), height: max(1, size.height))
        var picture = DecodedPicture(pixbuf: pixbuf, statedSize: stated)
        if pixbuf.size != size {
            guard pixbuf.size == plan.decodedSize(of: size) else { throw decodeFailed() }
            picture.scale = plan.scale(of: size)
        }
        if plan.format == .svg, let canvas = plan.canvas(of: size) {
            pixbuf.uncoverEdges(of: canvas)
        }
        picture.adopt(outline)
        if !isComplete(pixbuf) {
            picture.knownRows = try knownRows(pixbuf)
        }
        return picture
    }
}
