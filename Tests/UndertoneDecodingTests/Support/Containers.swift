/// Metadata put into pictures that come without.
enum Containers {
    /// A JPEG with segments behind its SOI marker.
    static func jpeg(_ picture: [UInt8], exif: [UInt8]? = nil, profile: [UInt8]? = nil) -> [UInt8] {
        var segments: [UInt8] = []
        if let exif { segments += segment(0xE1, Array("Exif\0\0".utf8) + exif) }
        if let profile {
            segments += segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile)
        }
        return picture[..<2] + segments + picture[2...]
    }

    /// A JPEG marker segment.
    static func segment(_ code: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, code] + .big(content.count + 2, 2) + content
    }

    /// A WebP in the extended format, of a picture in the simple one.
    static func webP(
        _ picture: [UInt8], width: Int, height: Int, exif: [UInt8]? = nil,
        profile: [UInt8]? = nil
    ) -> [UInt8] {
        let flags: UInt8 = (exif == nil ? 0 : 8) | (profile == nil ? 0 : 32)
        var chunks = chunk(
            "VP8X", [flags, 0, 0, 0] + .little(width - 1, 3) + .little(height - 1, 3))
        if let profile { chunks += chunk("ICCP", profile) }
        chunks += picture[12...]
        if let exif { chunks += chunk("EXIF", exif) }
        return Array("RIFF".utf8) + .little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        Array(type.utf8) + .little(content.count, 4) + content
            + (content.count % 2 == 1 ? [0] : [])
    }
}
