import CGdkPixbuf
import CGLib

/// A decoded picture of eight bits a channel, RGB or straight RGBA.
@safe
final class Pixbuf {
    private let pixbuf: OpaquePointer
    /// The first pixel of the first row; the rows are `stride` bytes apart.
    let pixels: UnsafeMutablePointer<UInt8>
    /// The size in pixels as decoded.
    let size: PixelSize
    /// Bytes from one row to the next, padding included.
    let stride: Int
    /// 4 with alpha, 3 without.
    let channels: Int

    /// Keeps a pixbuf alive; `nil` if its pixels are of a kind that gdk-pixbuf does not have.
    init?(retaining pixbuf: OpaquePointer) {
        let channels = unsafe Int(gdk_pixbuf_get_n_channels(pixbuf))
        guard channels == 3 || channels == 4,
            unsafe gdk_pixbuf_get_bits_per_sample(pixbuf) == 8,
            let pixels = unsafe gdk_pixbuf_get_pixels(pixbuf)
        else { return nil }
        unsafe self.pixbuf = OpaquePointer(g_object_ref(UnsafeMutableRawPointer(pixbuf)))
        unsafe self.pixels = pixels
        self.channels = channels
        unsafe size = PixelSize(
            width: Int(gdk_pixbuf_get_width(pixbuf)), height: Int(gdk_pixbuf_get_height(pixbuf)))
        unsafe stride = Int(gdk_pixbuf_get_rowstride(pixbuf))
    }

    deinit {
        unsafe g_object_unref(UnsafeMutableRawPointer(pixbuf))
    }

    /// The bytes of a row's pixels, without padding.
    func row(_ index: Int) -> UnsafeMutableBufferPointer<UInt8> {
        unsafe UnsafeMutableBufferPointer(
            start: pixels + index * stride, count: size.width * channels)
    }

    /// Whether all pixels of a row are gray.
    func isGray(row index: Int) -> Bool {
        let row = unsafe self.row(index)
        return Swift.stride(from: 0, to: row.count, by: channels).allSatisfy {
            unsafe row[$0] == row[$0 + 1] && row[$0] == row[$0 + 2]
        }
    }

    /// The text of an option that the loader has set.
    func option(_ key: String) -> String? {
        unsafe gdk_pixbuf_get_option(pixbuf, key).map { unsafe String(cString: $0) }
    }

    /// The bytes of an option that the loader has set in base64.
    func decodedOption(_ key: String) -> [UInt8]? {
        guard let text = unsafe gdk_pixbuf_get_option(pixbuf, key) else { return nil }
        var length: gsize = 0
        guard let bytes = unsafe g_base64_decode(text, &length) else { return nil }
        defer { unsafe g_free(bytes) }
        return unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: Int(length)))
    }
}
