/// A progressive JPEG's first coefficients, written as a JPEG of one scan.
///
/// They are all that the mean of a block is made of. The loader would keep room for every
/// coefficient of the picture between two scans, 64 times as much.
package enum FirstCoefficientJPEG {
    /// Writes what the selected parts of a file hold; `nil` where anything about them is unusual.
    package static func make(_ bytes: Span<UInt8>, _ parts: [Piece]) -> [UInt8]? {
        var reader = FirstCoefficientReader()
        do throws(JPEGFault) {
            for case .file(let range) in parts { try reader.read(bytes, range) }
        } catch {
            return nil
        }
        guard let frame = reader.frame, reader.isColored else { return nil }
        return FirstCoefficientWriter.write(reader.headers, frame, reader.values)
    }
}
