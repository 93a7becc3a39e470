/// Walks the boxes of an AVIF or HEIC file (ISO/IEC 14496-12, 23008-12).
enum ISOMediaScanner {
    /// The end by the top-level boxes' lengths, and the profile by the `colr` boxes.
    ///
    /// The loaders apply `irot` and `imir` themselves, and EXIF's orientation does not count in
    /// these formats.
    static func outline(_ bytes: Span<UInt8>, fileLength: Int) -> PictureOutline {
        var outline = PictureOutline(length: fileLength)
        if bytes.holds("avis", at: 8) {
            // The loader refuses sequences, but decodes the still picture that comes with one.
            outline.pieces = [
                .file(0..<8), .substitute(Array("avif".utf8)), .file(12..<fileLength),
            ]
        }
        var offset = 0
        while offset < fileLength {
            guard let box = Box(bytes, at: offset, end: fileLength) else {
                // In a file that is read in pieces the next box may lie behind the first piece.
                outline.end = bytes.count == fileLength ? .missing : .unknown
                return outline
            }
            if box.end > fileLength {
                outline.end = .missing
                return outline
            }
            // A full box has four bytes of version and flags.
            if bytes.holds("meta", at: box.type), outline.profile == nil,
                box.content + 4 <= box.end
            {
                outline.profile = profile(bytes, box.content + 4..<box.end, path: 0)
            }
            offset = box.end
        }
        outline.end = .seen
        return outline
    }

    /// Looks for meta/iprp/ipco/colr: `path` is how far down it is. An ICC profile comes before
    /// code points, and the first of either before others, which may be a thumbnail's.
    private static func profile(
        _ bytes: Span<UInt8>, _ range: Range<Int>, path: Int
    ) -> EmbeddedProfile? {
        var coded: EmbeddedProfile?
        var offset = range.lowerBound
        while offset < range.upperBound,
            let box = Box(bytes, at: offset, end: range.upperBound), box.end <= bytes.count
        {
            if path == 2, bytes.holds("colr", at: box.type) {
                let profile = colorProfile(bytes, box.content..<box.end)
                if case .icc = profile { return profile }
                coded = coded ?? profile
            }
            let isOnPath =
                path == 0 && bytes.holds("iprp", at: box.type)
                || path == 1 && bytes.holds("ipco", at: box.type)
            if isOnPath, let found = profile(bytes, box.content..<box.end, path: path + 1) {
                return found
            }
            offset = box.end
        }
        return coded
    }

    private static func colorProfile(
        _ bytes: Span<UInt8>, _ content: Range<Int>
    ) -> EmbeddedProfile? {
        let start = content.lowerBound
        if bytes.holds("prof", at: start) || bytes.holds("rICC", at: start), content.count > 4 {
            return .icc((start + 4..<content.upperBound).map { bytes[$0] })
        }
        guard bytes.holds("nclx", at: start), content.count >= 11,
            let primaries = bytes.bigEndian(at: start + 4, bytes: 2),
            let transfer = bytes.bigEndian(at: start + 6, bytes: 2)
        else { return nil }
        return .coded(CodedColorSpace(primaries: primaries, transfer: transfer))
    }

    /// A box: where its type, its content and its end are.
    private struct Box {
        var type, content, end: Int

        /// Reads a box's header; `end` is where a box without a length of its own ends.
        init?(_ bytes: Span<UInt8>, at offset: Int, end limit: Int) {
            guard let length = bytes.bigEndian(at: offset, bytes: 4), bytes.count >= offset + 8
            else { return nil }
            type = offset + 4
            content = offset + 8
            switch length {
            case 0:
                end = limit
            case 1:
                guard let long = bytes.bigEndian(at: offset + 8, bytes: 8), long >= 16 else {
                    return nil
                }
                content = offset + 16
                let (sum, overflows) = offset.addingReportingOverflow(long)
                end = overflows ? .max : sum
            default:
                guard length >= 8 else { return nil }
                end = offset + length
            }
            if end < content { return nil }
        }
    }
}
