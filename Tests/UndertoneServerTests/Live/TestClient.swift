import GLibSupport
import Glibc

/// A client that blocks, with a limit on every wait.
final class TestClient: @unchecked Sendable {
    let descriptor: SharedDescriptor
    private var buffer: [UInt8] = []

    /// Connects, trying again while the daemon is not there yet.
    init(_ path: String) throws {
        let address = try UnixSocketAddress(Array(path.utf8))
        let end = monotonicSeconds() + patience
        var connected = Self.connect(address)
        while connected == nil, monotonicSeconds() < end {
            usleep(5000)
            connected = Self.connect(address)
        }
        guard let connected else { throw TestFailure("nobody listens on \(path)") }
        descriptor = connected
        setTimeout(seconds: Int(patience))
    }

    private static func connect(_ address: UnixSocketAddress) -> SharedDescriptor? {
        guard let socket = try? SharedDescriptor(UnixSocket.stream(nonBlocking: false)) else {
            return nil
        }
        let result = unsafe address.withPointer { unsafe Glibc.connect(socket.number, $0, $1) }
        return result == 0 ? socket : nil
    }

    /// How long a single `read` or `write` may take.
    func setTimeout(seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            unsafe setsockopt(descriptor.number, SOL_SOCKET, option, &time, size)
        }
    }

    func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe Glibc.send(
                descriptor.number, Array(bytes[sent...]), bytes.count - sent, Int32(MSG_NOSIGNAL))
            guard count > 0 else { throw TestFailure("send failed: errno \(errno)") }
            sent += count
        }
    }

    /// Sends as much as the daemon takes within a moment, and tells how much that was.
    func sendWhatFits(_ bytes: [UInt8], idleMilliseconds: Int32 = 300) -> Int {
        var sent = 0
        while sent < bytes.count {
            var ready = pollfd(fd: descriptor.number, events: Int16(POLLOUT), revents: 0)
            guard unsafe poll(&ready, 1, idleMilliseconds) == 1 else { break }
            let count = unsafe Glibc.send(
                descriptor.number, Array(bytes[sent...]), bytes.count - sent,
                Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            if count <= 0 { break }
            sent += count
        }
        return sent
    }

    /// Says that nothing more will be sent.
    func halfClose() {
        shutdown(descriptor.number, Int32(SHUT_WR))
    }

    /// The next line without its newline; nil at the end of the stream.
    func line() throws -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeSubrange(...end)
                return line
            }
            guard let more = try bytes() else {
                if buffer.isEmpty { return nil }
                throw TestFailure("the stream ended within a line")
            }
            buffer += more
        }
    }

    /// The next line, which must come.
    func reply() throws -> String {
        guard let line = try line() else { throw TestFailure("the stream ended") }
        return line
    }

    /// Sends one line and takes one.
    func ask(_ line: String) throws -> String {
        try send(line + "\n")
        return try reply()
    }

    /// Whatever comes next; nil at the end of the stream.
    func bytes() throws -> [UInt8]? {
        var room = [UInt8](repeating: 0, count: 65536)
        let count = unsafe read(descriptor.number, &room, room.count)
        if count < 0 {
            if errno == ECONNRESET { return nil }
            throw TestFailure("read failed: errno \(errno)")
        }
        return count == 0 ? nil : Array(room.prefix(count))
    }

    /// Everything up to the end of the stream.
    func rest() throws -> String {
        while let more = try bytes() { buffer += more }
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }
}
