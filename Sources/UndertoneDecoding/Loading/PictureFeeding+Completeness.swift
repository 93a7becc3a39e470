import UndertoneColor
import UndertoneProtocol

extension PictureFeeding {
    /// Whether the end of the picture was found and every row was decoded.
    func isComplete(_ pixbuf: Pixbuf) -> Bool {
        guard failure == nil, outline.end != .missing, !lacksEnd, !outline.lacksDetail
        else { return false }
        let height = pixbuf.size.height
        if outline.isAnimated { return true }
        if let scans = outline.scans, !scans.areOpen {
            return outline.isDetailed
                && (confirmed ?? fed).containsAll(height, passes: scans.passes)
        }
        switch plan.format {
        // These loaders report the rows that they have written; WebP's reports all when it closes.
        case .png, .jpeg, .webp, .bmp, .ico, .pnm: return decoded.containsAll(height)
        // This one decodes when it closes.
        case .tiff: return loader.coverage.containsAll(height)
        // The first frame may be smaller than the picture, and is reported whole in any case.
        case .gif: return true
        // These report nothing, or the whole, and fail if anything is missing.
        case .avif, .heic, .svg: return true
        }
    }

    /// The rows of an incomplete picture that are known; `decode_failed` if none is.
    func knownRows(_ pixbuf: Pixbuf) throws(RequestError) -> [Bool] {
        let rows = 0..<pixbuf.size.height
        let known: [Bool]
        switch plan.format {
        case .png, .webp, .bmp, .pnm:
            known = rows.map { decoded.contains($0) }
        case .jpeg:
            // A sequential picture of several scans comes at its end, as does an arithmetic one.
            let passes = outline.scans.map { $0.passesUntilColored ?? ($0.areOpen ? 1 : .max) } ?? 1
            known = rows.map { decoded.passes($0) >= passes }
        case .gif:
            // The loader reports the whole frame whatever it got, and leaves the rest transparent.
            known = rows.map { pixbuf.hasVisiblePixels(inRow: $0, all: outline.isCovered) }
        // Of an icon the transparency comes last. The others tell nothing of their parts.
        case .ico, .tiff, .avif, .heic, .svg:
            throw decodeFailed()
        }
        if !known.contains(true) { throw decodeFailed() }
        return known
    }

    /// Why there is no picture.
    func decodeFailed() -> RequestError {
        // What a loader says of a file that is cut is seldom to the point.
        let reason = outline.end == .missing ? "the file ends before the picture does" : nil
        return RequestError(
            .decodeFailed,
            reason ?? failure?.message ?? "nothing of the picture could be decoded")
    }
}
