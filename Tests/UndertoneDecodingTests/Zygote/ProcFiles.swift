import GLibSupport
import Glibc
import Testing

/// The names in a directory.
func entries(of directory: String) throws -> Set<String> {
    let stream = unsafe try #require(opendir(directory))
    defer { unsafe closedir(stream) }
    var names = Set<String>()
    while let entry = unsafe readdir(stream) {
        let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if !name.hasPrefix(".") { names.insert(name) }
    }
    return names
}

/// A file's text.
func contents(of path: String) throws -> String {
    let file = unsafe Descriptor(owning: open(path, O_RDONLY | O_CLOEXEC))
    try #require(file.number >= 0)
    return String(decoding: readAll(file.number), as: UTF8.self)
}
