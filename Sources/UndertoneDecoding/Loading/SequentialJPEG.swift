import CGdkPixbuf
import CJPEG
import Glibc
import UndertoneColor

/// A JPEG written again in one scan, of which the loader makes the same in less time, or at all.
package struct SequentialJPEG {
    /// The outline of the file, with what is fed.
    let outline: PictureOutline
    let bytes: [UInt8]

    /// Pixels of which the transforms take longer than the writing.
    private static let worthwhilePixels = 512 * 512

    /// Writes only what is needed of a picture that is decoded at an eighth of its size, little
    /// more than the first coefficients; `nil` where it is another one, or anything about it is
    /// unusual.
    static func ofFirstCoefficients(
        _ bytes: Span<UInt8>, outline: PictureOutline, plan: DecodingPlan
    ) -> SequentialJPEG? {
        guard isSound(outline, plan), let size = outline.size, plan.scale(of: size) == 8,
            let scans = outline.scans, !scans.isArithmetic,
            let end = scans.scans.last?.range.upperBound,
            let written = scans.isProgressive
                ? FirstCoefficientJPEG.make(bytes, outline.pieces)
                : filtered(bytes, end: end)
        else { return nil }
        return SequentialJPEG(written, for: outline)
    }

    private static func filtered(_ bytes: Span<UInt8>, end: Int) -> [UInt8]? {
        // Later loaders may decode at the full size and make it smaller themselves.
        gdk_pixbuf_minor_version < 43 ? SequentialScanFilter.make(bytes, end: end) : nil
    }

    /// Writes all coefficients of a picture that is coded arithmetically, or that is large,
    /// progressive and decoded at its full size; `nil` where nothing is to be gained, or anything
    /// is wrong with the file.
    ///
    /// The loader transforms every block of a progressive picture once for each scan, some ten
    /// times; of a sequential one, once. Writing it again costs less than that. Arithmetic coding
    /// it cannot read on where 64 KiB end.
    static func ofAllCoefficients(
        _ bytes: Span<UInt8>, outline: PictureOutline, plan: DecodingPlan
    ) -> SequentialJPEG? {
        guard isSound(outline, plan), let size = outline.size, let scans = outline.scans
        else { return nil }
        let isSlow =
            scans.isProgressive && scans.passes > 2 && plan.scale(of: size) == 1
            && size.pixels ?? 0 >= worthwhilePixels
        guard isSlow || scans.isArithmetic, let written = make(bytes) else { return nil }
        return SequentialJPEG(written, for: outline)
    }

    /// Whether a file is a JPEG that lacks nothing, by its markers.
    private static func isSound(_ outline: PictureOutline, _ plan: DecodingPlan) -> Bool {
        plan.format == .jpeg && outline.isDetailed && outline.end == .seen
    }

    private init?(_ written: [UInt8], for outline: PictureOutline) {
        let found = JPEGScanner.outline(written.span, fileLength: written.count)
        guard found.size == outline.size else { return nil }
        var outline = outline
        outline.scans = found.scans
        outline.pieces = found.pieces
        self.outline = outline
        bytes = written
    }

    /// Writes a JPEG again with all of its coefficients; `nil` if it is not intact.
    package static func make(_ bytes: Span<UInt8>) -> [UInt8]? {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            var written: UnsafeMutablePointer<UInt8>?
            var count = 0
            guard
                unsafe cjpeg_make_sequential(
                    buffer.baseAddress, buffer.count, &written, &count) == 0
            else { return nil }
            defer { unsafe free(written) }
            return unsafe [UInt8](UnsafeBufferPointer(start: written, count: count))
        }
    }
}
