import UndertoneColor
import UndertoneProtocol

/// What size a picture may have, and at what size it is decoded.
struct DecodingPlan {
    private let format: ImageFormat
    private let sampling: Sampling

    /// Plans for a format and a way of sampling.
    init(format: ImageFormat, sampling: Sampling) {
        self.format = format
        self.sampling = sampling
    }

    /// Refuses a size that no picture of ours may have.
    func check(_ size: PixelSize) throws(RequestError) {
        guard size.width > 0, size.height > 0 else {
            throw RequestError(.decodeFailed, "the picture has no width or no height")
        }
        guard let pixels = size.pixels, pixels <= Limits.headerPixels,
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
            let scale = jpegScale(of: size)
            return PixelSize(
                width: (size.width + scale - 1) / scale, height: (size.height + scale - 1) / scale)
        case .svg:
            return AxisCells.sampleSize(of: size, side: Limits.sampleSide)
        default:
            return size
        }
    }

    /// The largest of the loader's own scales that leaves the sample its resolution.
    func jpegScale(of size: PixelSize) -> Int {
        if format != .jpeg || sampling == .exact { return 1 }
        let sample = AxisCells.sampleSize(of: size, side: Limits.sampleSide)
        let scale = [8, 4, 2].first { scale in
            (size.width + scale - 1) / scale >= sample.width
                && (size.height + scale - 1) / scale >= sample.height
        }
        return size.width <= 512 && size.height <= 512 ? 1 : scale ?? 1
    }
}
