internal import UndertoneColor
internal import UndertoneDecoding
internal import UndertoneProtocol

extension FuzzTarget {
    /// The sniffers and scanners: no file traps them, or makes them point out of itself.
    ///
    /// An input is a format to be assumed, how much of the file is not in memory, and the file.
    static let outline = FuzzTarget(
        name: "outline", maximumBytes: 4096, runs: 500_000,
        seeds: { PictureHeaders.all.map { [0, 0, 0] + $0 } }
    ) { bytes throws(Violation) in
        var input = FuzzInput(bytes)
        let assumed = Int(input.byte())
        let unread = Int(input.integer(UInt16.self))
        let file = input.remainder()
        let sniffed = ImageFormat.sniff(file.span)
        // Mostly as in the decoder; but a scanner should not rest on the sniffer either.
        let formats = ImageFormat.allCases
        guard let format = assumed < formats.count ? sniffed : formats[assumed % formats.count]
        else { return }
        guard let whole = try outline(format, file, unread: 0) else { return }

        if let begun = try outline(format, file, unread: unread), unread > 0 {
            try require(
                begun.size == whole.size || whole.end == .missing,
                "\(format): what follows does not change the size")
        }
        // A picture that is cut is never more complete than one that is not; but a list of boxes
        // has no end, and stray bytes behind it might begin another box.
        if format != .avif, format != .heic, whole.end == .missing,
            let cut = try outline(format, file.dropLast(), unread: 0)
        {
            try require(cut.end != .seen, "\(format): an end is not seen only in a cut file")
        }
    }

    private static func outline(
        _ format: ImageFormat, _ file: some Collection<UInt8>, unread: Int
    ) throws(Violation) -> PictureOutline? {
        let bytes = Array(file)
        let length = bytes.count + unread
        let outline: PictureOutline
        do throws(RequestError) {
            outline = try PictureOutline.read(format, bytes.span, fileLength: length)
        } catch {
            _ = try ReplyDocument(Reply.error(id: nil, error))
            try require(DecodeReport.failureCodes.contains(error.code), "a child may say that")
            return nil
        }
        try requireOrder(outline.pieces, within: length, format)
        if let size = outline.size {
            try require(size.width >= 0 && size.height >= 0, "\(format): sizes are not negative")
            if let scans = outline.scans {
                try require(scans.coefficientBytes(of: size) >= 0, "memory is not negative")
            }
        }
        if let scans = outline.scans {
            let pieces = scans.onlyFirstCoefficients().pieces
            try requireOrder(pieces, within: length, format)
            if unread == 0 {
                try requireSameCoefficients(bytes, pieces)
                try requireNothingMore(bytes, outline)
            }
        }
        return outline
    }

    /// Where first coefficients are written again, libjpeg reads the same ones of the file's own
    /// scans, and has nothing to say of these either.
    private static func requireSameCoefficients(
        _ file: [UInt8], _ pieces: [Piece]
    ) throws(Violation) {
        guard let written = FirstCoefficientJPEG.make(file.span, pieces) else { return }
        var selected: [UInt8] = []
        for case .file(let range) in pieces { selected += file[range] }
        selected += [0xFF, 0xD9]
        let (ours, theirs) = (SequentialJPEG.make(written.span), SequentialJPEG.make(selected.span))
        try require(ours == theirs, "libjpeg reads the same first coefficients")
    }

    /// Where coefficients are left out, libjpeg finds no fault with what is left, and there is
    /// nothing more to leave out. What it writes is no measure: it has no codes for the largest
    /// coefficients, and does not say so.
    private static func requireNothingMore(
        _ file: [UInt8], _ outline: PictureOutline
    ) throws(Violation) {
        guard outline.end == .seen, case .file(let range) = outline.pieces.last,
            let written = SequentialScanFilter.make(file.span, end: range.upperBound)
        else { return }
        // It may want the memory that it keeps a whole picture in.
        if SequentialJPEG.make(file.span) != nil {
            try require(SequentialJPEG.make(written.span) != nil, "libjpeg reads what is left")
        }
        let again = SequentialScanFilter.make(written.span, end: written.count - 2)
        try require(again == written, "it is all left out")
    }

    private static func requireOrder(
        _ pieces: [Piece], within length: Int, _ format: ImageFormat
    ) throws(Violation) {
        var end = 0
        for case .file(let range) in pieces {
            try require(end <= range.lowerBound, "\(format): pieces are in order")
            end = range.upperBound
        }
        try require(end <= length, "\(format): pieces are within the file")
    }
}
