import GLibSupport
import Glibc
import UndertoneProtocol

/// What a client says: bytes from its socket, and the lines that they make.
struct LineInput {
    /// What comes of reading once.
    enum Reading {
        case bytes
        /// Nothing now, or the end.
        case nothing
        /// The connection is broken.
        case failure
    }

    /// Where all connections read to, one at a time.
    @MainContext private static let room = UnsafeMutableRawBufferPointer.allocate(
        byteCount: Limits.readBytes, alignment: 16)

    private var lines = LineBuffer()
    /// Whether the client will say nothing more, though some of what it said may not be read yet.
    var hasPeerFinished = false
    /// Whether the client has said its last.
    private(set) var hasEnded = false
    /// Whether no line is to come any more.
    var isDone = false

    /// Takes the next line; nil where there is none so far, or none any more.
    mutating func next() -> LineBuffer.Line? {
        if isDone { return nil }
        if let line = lines.next() { return line }
        guard hasEnded else { return nil }
        isDone = true
        return lines.finish()
    }

    /// Reads once from a non-blocking socket.
    @MainContext
    mutating func read(from descriptor: Int32) -> Reading {
        let room = unsafe Self.room
        let count = unsafe Glibc.read(descriptor, room.baseAddress, room.count)
        if count > 0 {
            unsafe lines.append(UnsafeRawBufferPointer(rebasing: room[..<count]))
            return .bytes
        }
        if count < 0 { return errno == EAGAIN || errno == EINTR ? .nothing : .failure }
        hasEnded = true
        hasPeerFinished = true
        return .nothing
    }
}
