import UndertoneColor
import UndertoneProtocol

/// What size a picture may have, and at what size it is decoded.
struct DecodingPlan {
    /// The format by the file's first bytes.
    let format: ImageFormat
    private let sampling: Sampling
    /// Whether a JPEG may be decoded at a fraction of its size.
    var allowsScaling = true
    /// An SVG document's shape, where it tells that better than in whole pixels.
    var aspectRatio: Double?

    /// What a child's data memory holds beside a loader's: the program's own, and the libraries'.
    private static let otherBytes = 24 << 20

    /// Plans for a format and a way of sampling.
    init(format: ImageFormat, sampling: Sampling) {
        self.format = format
        self.sampling = sampling
    }

    /// Bytes in one file of the format: the loaders of some keep a copy that doubles as it grows,
    /// and end the process where it can't.
    var fileBytes: Int {
        [.avif, .heic, .svg].contains(format) ? Limits.wholeFileBytes : Limits.fileBytes
    }

    /// Refuses what an outline says is too much.
    func check(_ outline: PictureOutline) throws(RequestError) {
        guard let size = outline.size else { return }
        try check(size)
        if outline.loaderBytes > Limits.childDataBytes - Self.otherBytes {
            let name = format.name.uppercased()
            let mebibytes = outline.loaderBytes >> 20
            throw RequestError(
                .imageTooLarge, "decoding this \(name) takes \(mebibytes) MiB of memory, too much")
        }
        if let scans = outline.scans,
            scans.coefficientBytes(of: size) > Limits.coefficientBytes
        {
            throw RequestError(
                .imageTooLarge,
                "a JPEG of \(size.width) × \(size.height) pixels that is \(scans.kind) is more than "
                    + "the limit")
        }
    }

    /// Leaves out the scans that a picture at an eighth of its size has no use for.
    func selectScans(_ outline: PictureOutline) -> PictureOutline {
        guard let size = outline.size, let scans = outline.scans, scans.isProgressive,
            !scans.areOpen, scale(of: size) == 8
        else { return outline }
        var outline = outline
        let kept = scans.onlyFirstCoefficients()
        outline.scans = kept.scans
        outline.pieces = kept.pieces
        return outline
    }

    /// Refuses a size that no picture of ours may have.
    func check(_ size: PixelSize) throws(RequestError) {
        if format == .svg {
            try checkVector(size)
            return
        }
        guard size.width > 0, size.height > 0 else {
            throw RequestError(.decodeFailed, "the picture has no width or no height")
        }
        guard size.pixels ?? .max <= Limits.headerPixels,
            decodedSize(of: size).pixels ?? .max <= Limits.pixels
        else {
            throw RequestError(
                .imageTooLarge, "\(size.width) × \(size.height) pixels are more than the limit")
        }
    }

    /// A vector picture has no pixels of its own, and its size in whole ones may be 0.
    private func checkVector(_ size: PixelSize) throws(RequestError) {
        if let canvas = canvas(of: size), canvas.size.pixels ?? .max <= Limits.pixels { return }
        if size.width <= 0 || size.height <= 0 {
            throw RequestError(.decodeFailed, "the picture has no width or no height")
        }
        throw RequestError(
            .imageTooLarge,
            "one side of \(size.width) × \(size.height) pixels is too long for the other")
    }

    /// What a vector picture is rendered to.
    func canvas(of size: PixelSize) -> VectorCanvas? {
        VectorCanvas(size, aspectRatio: aspectRatio, side: Limits.sampleSide)
    }

    /// What a loader is told once it knows the size.
    func decide(_ size: PixelSize) -> PixbufLoader.SizeDecision {
        do throws(RequestError) {
            try check(size)
        } catch {
            return .refuse
        }
        let decoded = decodedSize(of: size)
        return decoded == size ? .keep : .scale(decoded)
    }

    /// The size in which a picture's pixels are allocated.
    func decodedSize(of size: PixelSize) -> PixelSize {
        switch format {
        case .jpeg:
            let scale = scale(of: size)
            return PixelSize(
                width: (size.width + scale - 1) / scale, height: (size.height + scale - 1) / scale)
        case .svg:
            return canvas(of: size)?.size ?? size
        default:
            return size
        }
    }

    /// The memory that a picture's pixels and what they are made of take, about; 0 of formats whose
    /// loaders keep growing copies of the file.
    func memory(for outline: PictureOutline) -> Int {
        if format == .avif { return 7 * min(outline.expectedPixels, Limits.pixels) }
        guard let size = outline.size, let pixels = decodedSize(of: size).pixels else { return 0 }
        switch format {
        case .png: return 4 * pixels
        case .jpeg: return 4 * pixels + (outline.scans?.coefficientBytes(of: size) ?? 0)
        // The planes of lightness and color too.
        case .webp: return 7 * pixels
        case .avif, .gif, .tiff, .bmp, .ico, .pnm, .heic, .svg: return 0
        }
    }

    /// The memory that is taken from the heap while a picture is decoded and reduced, about: what
    /// every picture takes, and a small one's pixels.
    func heap(for outline: PictureOutline) -> Int {
        let pixels = 4 * (outline.size.flatMap { decodedSize(of: $0).pixels } ?? 0)
        let room = Limits.mappedBlockBytes - Limits.heapBytes
        return Limits.heapBytes + (pixels < room ? pixels : 0)
    }

    /// How many pixels each decoded one spans along each axis: for JPEG the largest of the loader's
    /// own scales that leaves the sample its resolution.
    ///
    /// The last block of a row or a column may hold up to seven pixels that are not of the picture:
    /// on fewer than 64 decoded pixels that could move the mean by more than one of 255.
    func scale(of size: PixelSize) -> Int {
        if format != .jpeg || sampling == .exact || !allowsScaling { return 1 }
        let sample = AxisCells.sampleSize(of: size, side: Limits.sampleSide)
        let scale = [8, 4, 2].first { scale in
            (size.width + scale - 1) / scale >= sample.width
                && (size.height + scale - 1) / scale >= sample.height
                && min(size.width, size.height) >= 64 * scale
        }
        return max(size.width, size.height) < 512 ? 1 : scale ?? 1
    }
}
