import CGdkPixbuf
import CGLib

/// The first bytes of a gzip stream, unpacked.
enum GzipPrefix {
    /// Unpacks as many bytes as were asked for, or fewer where the input ends or is damaged.
    static func inflate(_ bytes: Span<UInt8>, atMost limit: Int) -> [UInt8] {
        guard bytes.count > 0,
            let decompressor = unsafe g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP)
        else { return [] }
        defer { unsafe g_object_unref(UnsafeMutableRawPointer(decompressor)) }
        var consumed = 0
        return unsafe [UInt8](unsafeUninitializedCapacity: limit) { output, filled in
            unsafe bytes.withUnsafeBufferPointer { input in
                while filled < limit, consumed < input.count {
                    var read: gsize = 0
                    var written: gsize = 0
                    let result = unsafe g_converter_convert(
                        decompressor, input.baseAddress! + consumed,
                        gsize(input.count - consumed), output.baseAddress! + filled,
                        gsize(limit - filled), G_CONVERTER_NO_FLAGS, &read, &written, nil)
                    consumed += Int(read)
                    filled += Int(written)
                    if result != G_CONVERTER_CONVERTED { break }
                }
            }
        }
    }
}
