import Glibc
import Testing

/// A directory of a test's own, gone with all its files when the test is.
final class TemporaryDirectory {
    let path: String
    private var names: [String] = []

    init() throws {
        var template = Array("/tmp/undertone-decoding-XXXXXX".utf8CString)
        unsafe try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        for name in names { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }

    /// The path of a file that the test makes itself.
    func place(_ name: String) -> String {
        names.append(name)
        return "\(path)/\(name)"
    }

    /// Writes a file and answers its path.
    func write(_ bytes: [UInt8], as name: String, mode: mode_t = 0o600) throws -> String {
        let path = place(name)
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        try #require(file >= 0)
        defer { close(file) }
        unsafe try #require(Glibc.write(file, bytes, bytes.count) == bytes.count)
        return path
    }
}
