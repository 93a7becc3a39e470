import CJPEG
import Glibc
import UndertoneColor

/// A progressive JPEG written again as a sequential one, with the same coefficients.
///
/// The loader transforms every block of a progressive picture once for each scan, some ten times;
/// of a sequential one, once. Writing it again costs less than that.
enum SequentialJPEG {
    /// Pixels of which the transforms take longer than the writing.
    private static let worthwhilePixels = 512 * 512

    /// Returns the outline and the bytes to feed in place of a whole file's, or `nil` where nothing
    /// is to be gained, or anything wrong with the file.
    static func substitute(
        _ bytes: Span<UInt8>, outline: PictureOutline, plan: DecodingPlan
    ) -> (outline: PictureOutline, bytes: [UInt8])? {
        guard plan.format == .jpeg, let scans = outline.scans, let size = outline.size,
            scans.isProgressive, !scans.isArithmetic, scans.passes > 2,
            outline.isDetailed, outline.end == .seen,
            plan.scale(of: size) == 1, size.pixels ?? 0 >= worthwhilePixels,
            let written = make(bytes)
        else { return nil }
        let found = JPEGScanner.outline(written.span, fileLength: written.count)
        guard found.size == size else { return nil }
        var substitute = outline
        substitute.scans = found.scans
        substitute.pieces = found.pieces
        return (substitute, written)
    }

    /// Writes a JPEG again; `nil` if it is not intact.
    static func make(_ bytes: Span<UInt8>) -> [UInt8]? {
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
