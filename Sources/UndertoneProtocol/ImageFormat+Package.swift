public import UndertoneColor

extension ImageFormat {
    /// The Debian package that brings the format's loader.
    public var loaderPackage: String {
        switch self {
        case .png, .jpeg, .gif, .tiff, .bmp, .ico, .pnm: "libgdk-pixbuf-2.0-0"
        case .webp: "webp-pixbuf-loader"
        case .avif: "libavif-gdk-pixbuf"
        case .heic: "heif-gdk-pixbuf"
        case .svg: "librsvg2-common"
        }
    }
}
