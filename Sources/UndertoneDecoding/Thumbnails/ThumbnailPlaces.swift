import CGLib

/// Where the desktop's thumbnails of a picture lie (freedesktop.org, Thumbnail Managing Standard
/// 0.9, "Thumbnail directory" and "Thumbnail creation").
struct ThumbnailPlaces {
    /// The names of the folders, in the order in which they are tried.
    ///
    /// 256 pixels a side are what file managers make, and tell colors as the picture does; the
    /// larger ones tell no more and take longer, the one of 128 pixels loses detail.
    static let folders = ["large", "x-large", "xx-large", "normal"]

    /// Where all of them lie, without a final slash.
    private let directory: [UInt8]

    /// The user's own, below GLib's cache directory; nil where that is no absolute path.
    init?() {
        guard let cache = unsafe g_get_user_cache_dir() else { return nil }
        let bytes = unsafe Self.bytes(cache)
        guard bytes.first == UInt8(ascii: "/") else { return nil }
        self.init(cacheDirectory: bytes)
    }

    /// Those below a cache directory.
    init(cacheDirectory: [UInt8]) {
        directory = cacheDirectory + Array("/thumbnails".utf8)
    }

    /// The URI that a picture's thumbnails are named after, as file managers spell it: of the path
    /// without `.`, `..` and needless slashes, links as they are. nil for what is a thumbnail
    /// itself.
    ///
    /// - Parameter path: An absolute path, any bytes but NUL.
    func uri(of path: [UInt8]) -> [UInt8]? {
        guard
            let canonical = unsafe g_canonicalize_filename(
                path.map(CChar.init(bitPattern:)) + [0], nil)
        else { return nil }
        defer { unsafe g_free(canonical) }
        if unsafe Self.bytes(canonical).starts(with: directory + [UInt8(ascii: "/")]) {
            return nil
        }
        guard let uri = unsafe g_filename_to_uri(canonical, nil, nil) else { return nil }
        defer { unsafe g_free(uri) }
        return unsafe Self.bytes(uri)
    }

    /// The paths of a URI's thumbnails, the most welcome one first.
    func paths(for uri: [UInt8]) -> [[UInt8]] {
        guard
            let checksum = unsafe g_compute_checksum_for_data(
                G_CHECKSUM_MD5, uri, gsize(uri.count))
        else { return [] }
        defer { unsafe g_free(checksum) }
        let name = unsafe Self.bytes(checksum) + Array(".png".utf8)
        return Self.folders.map { directory + Array("/\($0)/".utf8) + name }
    }

    private static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
        unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }
}
