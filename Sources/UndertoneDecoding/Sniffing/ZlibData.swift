import CGdkPixbuf
import CGLib

/// Data that zlib has compressed, unpacked or counted.
enum ZlibData {
    /// What stands around the compressed data.
    enum Container {
        case gzip, zlib
    }

    /// Unpacks as many bytes as were asked for, or fewer where the input ends or is damaged.
    static func inflate(
        _ bytes: Span<UInt8>, atMost limit: Int, _ container: Container
    ) -> [UInt8] {
        guard bytes.count > 0, let inflater = Inflater(container) else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: limit) { output, filled in
            unsafe bytes.withUnsafeBufferPointer { input in
                filled = unsafe inflater.unpack(input, into: output)
            }
        }
    }

    /// Whether the parts of a zlib stream, one after the other, unpack to at least so many bytes.
    static func reaches(_ wanted: Int, in bytes: Span<UInt8>, parts: [Range<Int>]) -> Bool {
        guard let inflater = Inflater(.zlib) else { return false }
        var count = 0
        var scratch = [UInt8](repeating: 0, count: 64 << 10)
        return unsafe bytes.withUnsafeBufferPointer { input in
            unsafe scratch.withUnsafeMutableBufferPointer { scratch in
                for part in parts {
                    var rest = unsafe UnsafeBufferPointer(rebasing: input[part])
                    while count < wanted, rest.count > 0 {
                        let consumed = inflater.consumed
                        let written = unsafe inflater.unpack(rest, into: scratch)
                        count += written
                        let read = inflater.consumed - consumed
                        if written == 0, read == 0 { return false }
                        unsafe rest = UnsafeBufferPointer(rebasing: rest.dropFirst(read))
                    }
                }
                return count >= wanted
            }
        }
    }

    /// GLib's converter, with how much of its input it has taken.
    @safe
    private final class Inflater {
        private let converter: OpaquePointer
        private(set) var consumed = 0

        init?(_ container: Container) {
            let format =
                container == .gzip
                ? G_ZLIB_COMPRESSOR_FORMAT_GZIP : G_ZLIB_COMPRESSOR_FORMAT_ZLIB
            guard let converter = unsafe g_zlib_decompressor_new(format) else { return nil }
            unsafe self.converter = converter
        }

        deinit {
            unsafe g_object_unref(UnsafeMutableRawPointer(converter))
        }

        /// Unpacks until the output is full or the input ends; answers how much there is.
        func unpack(
            _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
        ) -> Int {
            var taken = 0
            var filled = 0
            while filled < output.count, taken < input.count {
                var read: gsize = 0
                var written: gsize = 0
                let result = unsafe g_converter_convert(
                    converter, input.baseAddress! + taken, gsize(input.count - taken),
                    output.baseAddress! + filled, gsize(output.count - filled),
                    G_CONVERTER_NO_FLAGS, &read, &written, nil)
                taken += Int(read)
                filled += Int(written)
                if result != G_CONVERTER_CONVERTED { break }
            }
            consumed += taken
            return filled
        }
    }
}
