/// Walks the boxes of an AVIF or HEIC file (ISO/IEC 14496-12, 23008-12).
enum ISOMediaScanner {
    /// The end by the top-level boxes' lengths, and the profile by the `colr` boxes.
    ///
    /// Behind the picture's data there may be anything: whether they are whole the loaders tell,
    /// which look for each part where the file says it is.
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
        var hasData = false
        while offset < fileLength {
            guard let box = Box(bytes, at: offset, end: fileLength) else {
                // In a file that is read in pieces the next box may lie behind the first piece.
                outline.end = bytes.count == fileLength && !hasData ? .missing : .unknown
                return outline
            }
            let isPart = ["meta", "mdat"].contains { bytes.holds($0, at: box.type) }
            if box.end > fileLength {
                outline.end = isPart || !hasData ? .missing : .unknown
                return outline
            }
            hasData = hasData || bytes.holds("mdat", at: box.type)
            // A full box has four bytes of version and flags.
            if bytes.holds("meta", at: box.type), box.content + 4 <= box.end {
                var properties = Properties()
                properties.gather(bytes, box.content + 4..<box.end, path: 0)
                outline.profile = outline.profile ?? properties.profile
                outline.expectedPixels = max(outline.expectedPixels, properties.pixels)
            }
            offset = box.end
        }
        outline.end = .seen
        return outline
    }

    /// What the boxes in meta/iprp/ipco tell of a file's pictures, whichever each is of.
    private struct Properties {
        private var icc, coded: EmbeddedProfile?
        /// The pixels of the largest one.
        var pixels = 0

        /// An ICC profile comes before code points, and the first of either before others, which
        /// may be a thumbnail's.
        var profile: EmbeddedProfile? { icc ?? coded }

        /// Looks through boxes; `path` is how far down they are.
        mutating func gather(_ bytes: Span<UInt8>, _ range: Range<Int>, path: Int) {
            var offset = range.lowerBound
            while offset < range.upperBound,
                let box = Box(bytes, at: offset, end: range.upperBound), box.end <= bytes.count
            {
                switch path {
                case 0 where bytes.holds("iprp", at: box.type),
                    1 where bytes.holds("ipco", at: box.type):
                    gather(bytes, box.content..<box.end, path: path + 1)
                case 2:
                    take(bytes, box)
                default:
                    break
                }
                offset = box.end
            }
        }

        private mutating func take(_ bytes: Span<UInt8>, _ box: Box) {
            if bytes.holds("colr", at: box.type) {
                let profile = ISOMediaScanner.colorProfile(bytes, box.content..<box.end)
                if case .icc = profile { icc = icc ?? profile } else { coded = coded ?? profile }
            } else if bytes.holds("ispe", at: box.type), box.end - box.content >= 12,
                let width = bytes.bigEndian(at: box.content + 4, bytes: 4),
                let height = bytes.bigEndian(at: box.content + 8, bytes: 4)
            {
                pixels = max(pixels, PixelSize(width: width, height: height).pixels ?? 0)
            }
        }
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
