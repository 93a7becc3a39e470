internal import CGLib
internal import GLibSupport
internal import Glibc
internal import UndertoneProtocol

/// Names of files, which are bytes.
enum PathBytes {
    /// Makes a name absolute, without resolving links or `..` in it.
    ///
    /// An empty name names nothing, and stays empty.
    static func absolute(_ name: [UInt8]) throws(ClientError) -> [UInt8] {
        if name.isEmpty || name.first == UInt8(ascii: "/") { return name }
        guard let directory = unsafe getcwd(nil, 0) else {
            throw .system(SystemError(errno, "the current directory"))
        }
        defer { unsafe free(directory) }
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: directory, count: strlen(directory)))
        // Outside of a chroot the kernel says "(unreachable)".
        guard bytes.first == UInt8(ascii: "/") else {
            throw .system(SystemError(ENOENT, "the current directory"))
        }
        return (bytes.count > 1 ? bytes : []) + [UInt8(ascii: "/")] + name
    }

    /// The name as text, or nil where it is not valid UTF-8.
    static func text(_ name: [UInt8]) -> String? {
        String(validating: name, as: UTF8.self)
    }

    /// The name in base64.
    static func base64(_ name: [UInt8]) -> String {
        guard let text = unsafe g_base64_encode(name, gsize(name.count)) else { return "" }
        defer { unsafe g_free(text) }
        return unsafe String(cString: text)
    }
}

extension JSONWriter {
    /// Writes a name as the member `path`, or as `path_b64` where it is not valid UTF-8.
    mutating func path(_ name: [UInt8]) {
        if let text = PathBytes.text(name) {
            self.name("path")
            value(text)
        } else {
            self.name("path_b64")
            value(PathBytes.base64(name))
        }
    }
}
