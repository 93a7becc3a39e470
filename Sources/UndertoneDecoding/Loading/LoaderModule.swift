import CGdkPixbuf
import CGLib
import UndertoneColor
import UndertoneProtocol

/// A format's gdk-pixbuf modules.
struct LoaderModule {
    /// The module names, the preferred one first.
    var names: [String]
    /// The Debian package that installs the preferred one.
    let package: String

    /// The modules of a format.
    ///
    /// Two claim AVIF: `avif` takes 0.6 of the time of libheif's and 30 MB less, and works without
    /// threads. libheif's has been called both `heif/avif` and `heif`.
    init(for format: ImageFormat) {
        switch format {
        case .png, .jpeg, .gif, .tiff, .bmp, .ico, .pnm:
            names = [format.name]
        case .webp: names = ["webp"]
        case .avif: names = ["avif"]
        case .heic: names = ["heif/avif", "heif"]
        case .svg: names = ["svg"]
        }
        package = format.loaderPackage
    }

    /// The names of all modules that this machine has and that are not disabled.
    ///
    /// gdk-pixbuf reads their list once in a process, and a zygote's children need not ask again.
    static let installedNames = findInstalledNames()

    private static func findInstalledNames() -> Set<String> {
        var names: Set<String> = []
        let formats = unsafe gdk_pixbuf_get_formats()
        defer { unsafe g_slist_free(formats) }
        var next = unsafe formats
        while let node = unsafe next {
            // The list is ours, the formats are the library's.
            if let data = unsafe node.pointee.data {
                let format = OpaquePointer(data)
                if unsafe gdk_pixbuf_format_is_disabled(format) == 0,
                    let name = unsafe gdk_pixbuf_format_get_name(format)
                {
                    unsafe names.insert(String(cString: name))
                    unsafe g_free(name)
                }
            }
            unsafe next = node.pointee.next
        }
        return names
    }

    /// The first of the names that this machine has.
    func installedName() -> String? {
        names.first(where: LoaderModule.installedNames.contains)
    }
}

extension ImageFormat {
    /// Whether the format's loader needs threads or files, which only the wide profile allows.
    var needsWideProfile: Bool { self == .heic || self == .svg }
}
