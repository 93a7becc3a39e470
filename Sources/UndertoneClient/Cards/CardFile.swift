internal import CGLib
internal import GLibSupport
internal import Glibc

/// The file that a card is written into.
enum CardFile {
    /// Replaces a file by a text at once: whoever reads it sees the old one or the new one, whole.
    ///
    /// A symbolic link is followed, and what is no regular file, such as a pipe, is written to.
    /// A file that is no card is left alone: it may be the picture itself.
    static func write(_ text: String, to path: [UInt8]) throws(ClientError) {
        let bytes = Array(text.utf8)
        var status = stat()
        guard unsafe stat(path.cString, &status) == 0 else {
            // It would be replaced, and not followed.
            if unsafe lstat(path.cString, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
                throw .notWritten(path, "\(printable(path)) is a link that leads nowhere")
            }
            // What is wrong with the name its creation tells.
            return try replace(path, bytes, asked: path)
        }
        if status.st_mode & S_IFMT == S_IFREG {
            guard status.st_size == 0 || isCard(path) else {
                throw .notWritten(path, "\(printable(path)) is there already, and is no card")
            }
            try replace(resolved(path), bytes, asked: path)
        } else {
            try append(bytes, to: path)
        }
    }

    private static func isCard(_ path: [UInt8]) -> Bool {
        var start = [UInt8](repeating: 0, count: 256)
        guard
            let number = try? retrying("open", { unsafe open(path.cString, O_RDONLY | O_CLOEXEC) })
        else { return false }
        let file = Descriptor(owning: number)
        let count = unsafe read(file.number, &start, start.count)
        let text = String(decoding: start.prefix(max(0, count)), as: UTF8.self)
        return text.firstRange(of: SVG.mark) != nil
    }

    private static func resolved(_ path: [UInt8]) -> [UInt8] {
        guard let real = unsafe realpath(path.cString, nil) else { return path }
        defer { unsafe free(real) }
        return unsafe Array(UnsafeRawBufferPointer(start: real, count: strlen(real)))
    }

    private static func replace(
        _ path: [UInt8], _ bytes: [UInt8], asked: [UInt8]
    ) throws(ClientError) {
        var failure: UnsafeMutablePointer<GError>?
        // Or else what is not finished would stay beside the file.
        let isWritten = Interruption.deferred {
            unsafe bytes.withUnsafeBytes { buffer in
                unsafe g_file_set_contents_full(
                    path.cString, buffer.bindMemory(to: CChar.self).baseAddress,
                    gssize(buffer.count), G_FILE_SET_CONTENTS_CONSISTENT, 0o666, &failure)
            }
        }
        guard isWritten == 0 else { return }
        defer { unsafe g_clear_error(&failure) }
        // GLib names the file that it would have renamed; the system's reason follows last.
        let message = unsafe failure.map { unsafe String(cString: $0.pointee.message) } ?? ""
        let reason = message.split(separator: ": ").last ?? "it cannot be written"
        throw .notWritten(asked, "\(printable(asked)): \(reason)")
    }

    private static func append(_ bytes: [UInt8], to path: [UInt8]) throws(ClientError) {
        do throws(SystemError) {
            let number = try retrying("open") {
                unsafe open(path.cString, O_WRONLY | O_CLOEXEC | O_NOCTTY)
            }
            let file = Descriptor(owning: number)
            var start = 0
            while start < bytes.count {
                start += try retrying("write") {
                    unsafe bytes[start...].withUnsafeBytes { rest in
                        unsafe Glibc.write(file.number, rest.baseAddress, rest.count)
                    }
                }
            }
        } catch {
            throw .system(SystemError(error.number, printable(path)))
        }
    }
}
