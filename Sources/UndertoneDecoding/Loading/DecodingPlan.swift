import UndertoneColor
import UndertoneProtocol

/// What size a picture may have, and at what size it is decoded.
struct DecodingPlan {
    /// The format by the file's first bytes.
    let format: ImageFormat
    private let sampling: Sampling

    /// Plans for a format and a way of sampling.
    init(format: ImageFormat, sampling: Sampling) {
        self.format = format
        self.sampling = sampling
    }

    /// Refuses what an outline says is too much.
    func check(_ outline: PictureOutline) throws(RequestError) {
        guard let size = outline.size else { return }
        try check(size)
        if let scans = outline.scans,
            scans.coefficientBytes(of: size) > Limits.coefficientBytes
        {
            throw RequestError(
                .imageTooLarge,
                "a progressive JPEG of \(size.width) × \(size.height) pixels is more than the limit"
            )
        }
    }

    /// Leaves out the scans that a picture at an eighth of its size has no use for.
    func selectScans(_ outline: PictureOutline) -> PictureOutline {
        guard let size = outline.size, let scans = outline.scans, scans.isProgressive,
            scale(of: size) == 8
        else { return outline }
        var outline = outline
        let kept = scans.onlyFirstCoefficients()
        outline.scans = kept.scans
        outline.pieces = kept.pieces
        return outline
    }

    /// Refuses a size that no picture of ours may have.
    func check(_ size: PixelSize) throws(RequestError) {
        guard size.width > 0, size.height > 0 else {
            throw RequestError(.decodeFailed, "the picture has no width or no height")
        }
        // An SVG has no pixels of its own.
        guard format == .svg || size.pixels ?? .max <= Limits.headerPixels,
            decodedSize(of: size).pixels ?? .max <= Limits.pixels
        else {
            throw RequestError(
                .imageTooLarge, "\(size.width) × \(size.height) pixels are more than the limit")
        }
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
            return AxisCells.sampleSize(of: size, side: Limits.sampleSide)
        default:
            return size
        }
    }

    /// How many pixels each decoded one spans along each axis: for JPEG the largest of the loader's
    /// own scales that leaves the sample its resolution.
    ///
    /// The last block of a row or a column may hold up to seven pixels that are not of the picture,
    /// and a progressive picture's blocks are smoothed into each other: on fewer than 64 decoded
    /// pixels that could move the mean by more than one of 255.
    func scale(of size: PixelSize) -> Int {
        if format != .jpeg || sampling == .exact { return 1 }
        let sample = AxisCells.sampleSize(of: size, side: Limits.sampleSide)
        let scale = [8, 4, 2].first { scale in
            (size.width + scale - 1) / scale >= sample.width
                && (size.height + scale - 1) / scale >= sample.height
                && min(size.width, size.height) >= 64 * scale
        }
        return max(size.width, size.height) < 512 ? 1 : scale ?? 1
    }
}
