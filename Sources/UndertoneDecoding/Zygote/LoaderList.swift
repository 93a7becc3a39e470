import CLinux
import GLibSupport
import Glibc

/// The list of loaders that gdk-pixbuf reads once, and what became of it since.
struct LoaderList {
    /// Which file lies at a path, and when it was changed.
    private struct Stamp: Equatable {
        var numbers: [Int]

        init?(_ path: [UInt8]) {
            var found = stat()
            guard unsafe stat(path.cString, &found) == 0 else { return nil }
            numbers = [
                Int(bitPattern: UInt(found.st_dev)), Int(bitPattern: UInt(found.st_ino)),
                Int(found.st_size), found.st_mtim.tv_sec, found.st_mtim.tv_nsec,
                found.st_ctim.tv_sec, found.st_ctim.tv_nsec,
            ]
        }
    }

    private let path: [UInt8]
    private let stamp: Stamp?
    private let changes: DirectoryChanges

    /// Notes the list as it is; to be called before gdk-pixbuf reads it.
    ///
    /// - Returns: nil where it is not known or cannot be watched.
    init?() {
        guard let path = Self.path(),
            let changes = try? DirectoryChanges(
                in: DirectoryChanges.directory(of: path), from: ChildDescriptors.ruleset + 1)
        else { return nil }
        self.path = path
        self.changes = changes
        stamp = Stamp(path)
    }

    /// A descriptor that is readable when the list may have changed.
    var number: Int32 { changes.number }

    /// Whether the list is another one than at first; one that is gone will come back.
    func hasChanged() -> Bool {
        changes.forget()
        guard let now = Stamp(path) else { return false }
        return now != stamp
    }

    /// Where gdk-pixbuf looks: what its variable names, or below the directory it is in. Its
    /// modules' version has been this one since 2.10.
    static func path() -> [UInt8]? {
        if let named = Environment["GDK_PIXBUF_MODULE_FILE"] { return named }
        guard let symbol = unsafe dlsym(nil, "gdk_pixbuf_get_formats"),
            let name = unsafe clinux_library_of(symbol)
        else { return nil }
        let library = unsafe Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
        return DirectoryChanges.directory(of: library)
            + Array("/gdk-pixbuf-2.0/2.10.0/loaders.cache".utf8)
    }
}
