import UndertoneColor
import UndertoneProtocol

/// A thumbnail in the picture's place.
extension PictureDecoding {
    /// Bytes of the picture in which its header is looked for.
    private static let headerBytes = [ImageFormat.sniffedBytes, 1 << 20]

    /// Reduces the first thumbnail that can stand in for the picture.
    ///
    /// What is said of the picture as a whole is the picture's own, by its header.
    ///
    /// - Returns: nil where there is none, whatever the reason: then the picture is to be decoded.
    mutating func summaryOfThumbnail(_ format: ImageFormat, length: Int) -> ImageSummary? {
        if thumbnails.isEmpty { return nil }
        guard let header = header(format, length: length) else { return nil }
        for thumbnail in thumbnails {
            guard let (picture, size) = decode(thumbnail, for: header) else { continue }
            let facts = ImageFacts(
                width: size.width, height: size.height, format: format,
                orientation: header.orientation, profile: .none, complete: true,
                sampling: .thumbnail)
            let summary = summarize(picture, facts)
            return (try? confirmIdentity()) == nil ? nil : summary
        }
        return nil
    }

    private mutating func header(_ format: ImageFormat, length: Int) -> PictureHeader? {
        for count in Self.headerBytes {
            guard (try? file.fill(upTo: min(length, count))) != nil else { return nil }
            if let header = PictureHeader(format, file.bytes.span, fileLength: length) {
                return header
            }
            if file.bytes.count == length { return nil }
        }
        return nil
    }

    /// Decodes a thumbnail if it is valid, whole, and of the picture's shape.
    ///
    /// - Returns: The thumbnail, and the size of the picture as displayed.
    private func decode(
        _ thumbnail: Thumbnail, for header: PictureHeader
    ) -> (DecodedPicture, PixelSize)? {
        guard let bytes = thumbnail.bytes(), ImageFormat.sniff(bytes.span) == .png else {
            return nil
        }
        let keys = ThumbnailKeys(bytes.span)
        guard thumbnail.isValid(for: identity, by: keys),
            let stored = header.size ?? keys.pictureSize,
            stored.width > 0, stored.height > 0, stored.pixels ?? .max <= Limits.headerPixels,
            var outline = try? PictureOutline.read(
                .png, bytes.span, fileLength: bytes.count),
            let size = outline.size, Self.isThumbnail(size, of: header.displayed(stored))
        else { return nil }
        // A thumbnail is as displayed, whatever it says.
        outline.orientation = nil
        do throws(RequestError) {
            let plan = DecodingPlan(format: .png, sampling: .auto)
            var feeding = try PictureFeeding(outline, plan: plan)
            feeding.feed(bytes.span)
            let picture = try feeding.finish()
            guard picture.knownRows == nil else { return nil }
            return (picture, header.displayed(stored))
        } catch {
            return nil
        }
    }

    /// Whether a size is a picture's, made smaller: each side within a pixel.
    ///
    /// A thumbnail that was not turned as the picture is, or cut, is not.
    private static func isThumbnail(_ size: PixelSize, of picture: PixelSize) -> Bool {
        guard (1...Limits.thumbnailSide).contains(size.width),
            (1...Limits.thumbnailSide).contains(size.height)
        else { return false }
        let difference = abs(size.width * picture.height - size.height * picture.width)
        return difference <= max(picture.width, picture.height)
    }
}
