internal import GLibSupport
internal import Glibc

/// Standard output has no reader any more: time to end, quietly.
struct OutputClosed: Error {}

/// What goes to standard output or error, kept together so that one picture is one write.
final class Output {
    /// The number, which is not closed with this object.
    let descriptor: Int32
    private var bytes: [UInt8] = []

    /// Whether it is a terminal.
    let isTerminal: Bool

    /// Creates an output to a descriptor, which it does not close.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) != 0
    }

    /// Adds text, to be written with the next flush or when there is much.
    func append(_ text: String) throws {
        try append(text.utf8)
    }

    /// Adds bytes in the same way.
    func append(_ more: some Sequence<UInt8>) throws {
        bytes.append(contentsOf: more)
        if bytes.count >= 64 * 1024 { try flush() }
    }

    /// Writes everything.
    func flush() throws {
        defer { bytes.removeAll(keepingCapacity: true) }
        var start = 0
        while start < bytes.count {
            do throws(SystemError) {
                start += try retrying("write") {
                    unsafe bytes.withUnsafeBytes { buffer in
                        unsafe write(
                            descriptor, buffer.baseAddress.unsafelyUnwrapped + start,
                            buffer.count - start)
                    }
                }
            } catch {
                if error.number == EPIPE { throw OutputClosed() }
                throw ClientError.system(SystemError(error.number, "standard output"))
            }
        }
    }
}
