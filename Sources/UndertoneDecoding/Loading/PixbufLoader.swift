import CGdkPixbuf
import CGLib

/// A gdk-pixbuf loader of one picture, with what it reports on the way.
@safe
final class PixbufLoader {
    /// What to do with a picture once its size is known.
    enum SizeDecision: Equatable {
        case keep
        case scale(PixelSize)
        case refuse
    }

    /// The loader's message about a picture that it cannot decode.
    struct Failure: Error, Equatable {
        var message: String
        /// Whether there was not enough memory for it.
        var isLackOfMemory = false
    }

    private let loader: UnsafeMutablePointer<GdkPixbufLoader>
    private let decide: (PixelSize) -> SizeDecision
    private var isOpen = true

    /// The size by the loader, once known: before any scaling.
    private(set) var size: PixelSize?
    /// Whether the picture was refused because of its size.
    private(set) var isRefused = false
    /// How many times the loader has written each row, in rows of the (scaled) picture.
    private(set) var coverage = RowCoverage()

    /// Makes a loader of a module's name; `decide` is asked once, before pixels are allocated.
    init(module: String, decide: @escaping (PixelSize) -> SizeDecision) throws(Failure) {
        var error: UnsafeMutablePointer<GError>?
        guard let made = unsafe gdk_pixbuf_loader_new_with_type(module, &error) else {
            throw unsafe Failure(taking: error)
        }
        unsafe loader = made
        self.decide = decide
        connectSignals()
    }

    deinit {
        // A loader must be closed before it goes; its error is of no interest any more.
        if isOpen { unsafe gdk_pixbuf_loader_close(loader, nil) }
        unsafe g_object_unref(UnsafeMutableRawPointer(loader))
    }

    /// Feeds bytes. After a failure the loader is closed and takes no more.
    func write(_ bytes: Span<UInt8>) throws(Failure) {
        guard isOpen, bytes.count > 0 else { return }
        var error: UnsafeMutablePointer<GError>?
        let succeeds = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe gdk_pixbuf_loader_write(loader, buffer.baseAddress!, gsize(buffer.count), &error)
        }
        if succeeds == 0 {
            isOpen = false
            throw unsafe Failure(taking: error)
        }
        // The WebP and SVG loaders go on after a refusal: nothing more may reach them.
        if isRefused { throw Failure(message: "refused") }
    }

    /// Says that no more bytes come; some loaders decode only now.
    func close() throws(Failure) {
        guard isOpen else { return }
        isOpen = false
        var error: UnsafeMutablePointer<GError>?
        if unsafe gdk_pixbuf_loader_close(loader, &error) == 0 {
            throw unsafe Failure(taking: error)
        }
    }

    /// The picture, or its first frame, as far as it is decoded; valid also without the loader.
    func pixbuf() -> Pixbuf? {
        guard let pixbuf = unsafe gdk_pixbuf_loader_get_pixbuf(loader) else { return nil }
        return unsafe Pixbuf(retaining: pixbuf)
    }
}

extension PixbufLoader {
    /// The handlers get this object unretained: it outlives the loader, which it owns.
    private func connectSignals() {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let sizePrepared:
            @convention(c) (UnsafeMutableRawPointer, gint, gint, UnsafeMutableRawPointer) -> Void =
                {
                    _, width, height, context in
                    unsafe Unmanaged<PixbufLoader>.fromOpaque(context).takeUnretainedValue()
                        .prepare(PixelSize(width: Int(width), height: Int(height)))
                }
        let areaUpdated:
            @convention(c) (
                UnsafeMutableRawPointer, gint, gint, gint, gint, UnsafeMutableRawPointer
            ) -> Void = { _, _, y, _, height, context in
                unsafe Unmanaged<PixbufLoader>.fromOpaque(context).takeUnretainedValue()
                    .coverage.add(firstRow: Int(y), rows: Int(height))
            }
        unsafe g_signal_connect_data(
            loader, "size-prepared", unsafeBitCast(sizePrepared, to: GCallback.self), context,
            nil, GConnectFlags(rawValue: 0))
        unsafe g_signal_connect_data(
            loader, "area-updated", unsafeBitCast(areaUpdated, to: GCallback.self), context,
            nil, GConnectFlags(rawValue: 0))
    }

    private func prepare(_ size: PixelSize) {
        self.size = size
        switch decide(size) {
        case .keep:
            break
        case .scale(let target):
            unsafe gdk_pixbuf_loader_set_size(loader, gint(target.width), gint(target.height))
        case .refuse:
            isRefused = true
            // Most loaders take this for an error before they allocate.
            unsafe gdk_pixbuf_loader_set_size(loader, 0, 0)
        }
    }
}

extension PixbufLoader.Failure {
    /// Takes a `GError` over.
    init(taking error: UnsafeMutablePointer<GError>?) {
        guard let error = unsafe error else {
            self.init(message: "the loader gives no reason")
            return
        }
        let isLackOfMemory = unsafe g_error_matches(
            error, gdk_pixbuf_error_quark(),
            gint(GDK_PIXBUF_ERROR_INSUFFICIENT_MEMORY.rawValue))
        let message = unsafe Self.singleLine(String(cString: error.pointee.message))
        self.init(message: message, isLackOfMemory: isLackOfMemory != 0)
        unsafe g_error_free(error)
    }

    /// Loaders quote the picture, at any length and over several lines.
    private static func singleLine(_ text: String) -> String {
        let words = text.unicodeScalars.prefix(160).split { $0.value < 0x21 || $0.value == 0x7F }
        return words.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
    }
}
