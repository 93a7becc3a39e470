import Glibc

/// The library that finds fonts for SVG's text; the SVG loader brings it along.
enum Fontconfig {
    /// Reads the system's font configuration and the lists of fonts, before the fork, so that no
    /// child has to.
    ///
    /// Pango would do it in a thread, which a zygote must not have. Nothing happens where no loader
    /// has brought the library.
    static func initialize() {
        guard
            let library = unsafe dlopen("libfontconfig.so.1", RTLD_NOW | RTLD_NOLOAD),
            let symbol = unsafe dlsym(library, "FcInit")
        else { return }
        typealias Initialize = @convention(c) () -> Int32
        _ = unsafe unsafeBitCast(symbol, to: Initialize.self)()
    }
}
