import CLinux
public import Glibc

/// The address of a Unix domain socket.
public struct UnixSocketAddress: Sendable {
    /// The longest path: `sun_path` with its final NUL is 108 bytes.
    public static let maximumPathBytes = 107

    private var address: sockaddr_un
    private var length: socklen_t

    /// Creates the address of a path, or, with its first byte standing for NUL, of a name in the
    /// abstract namespace.
    public init(_ path: [UInt8], abstract: Bool = false) throws(SystemError) {
        guard path.count <= Self.maximumPathBytes else {
            throw SystemError(ENAMETOOLONG, "the socket's path")
        }
        address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { field in
            unsafe field.copyBytes(from: path)
            if abstract { unsafe field[0] = 0 }
        }
        let header = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        length = socklen_t(header + path.count + (abstract ? 0 : 1))
    }

    /// Lends the address in the shape that `bind`, `connect` and `sendto` take.
    public func withPointer<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe body(pointer, length)
            }
        }
    }
}

/// Unix domain sockets, close-on-exec always.
public enum UnixSocket {
    /// A stream socket, not connected yet.
    public static func stream(nonBlocking: Bool) throws(SystemError) -> Descriptor {
        let flags = SOCK_CLOEXEC.rawValue | (nonBlocking ? SOCK_NONBLOCK.rawValue : 0)
        return Descriptor(
            owning: try retrying("socket") {
                socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | flags), 0)
            })
    }

    /// Binds a socket to an address.
    public static func bind(
        _ socket: borrowing Descriptor, to address: UnixSocketAddress
    ) throws(SystemError) {
        let number = socket.number
        _ = try retrying("bind") {
            unsafe address.withPointer { unsafe Glibc.bind(number, $0, $1) }
        }
    }

    /// Connects a socket to an address.
    public static func connect(
        _ socket: borrowing Descriptor, to address: UnixSocketAddress
    ) throws(SystemError) {
        let number = socket.number
        _ = try retrying("connect") {
            unsafe address.withPointer { unsafe Glibc.connect(number, $0, $1) }
        }
    }

    /// Accepts one waiting connection, non-blocking.
    public static func accept(_ listener: Int32) throws(SystemError) -> Descriptor {
        Descriptor(owning: try checking("accept") { clinux_accept(listener) })
    }

    /// A connected pair of packet sockets, both blocking.
    public static func packetPair() throws(SystemError) -> (SharedDescriptor, SharedDescriptor) {
        var ends: [Int32] = [-1, -1]
        _ = try retrying("socketpair") {
            unsafe socketpair(
                AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        }
        return (
            SharedDescriptor(Descriptor(owning: ends[0])),
            SharedDescriptor(Descriptor(owning: ends[1]))
        )
    }

    /// The user that a connected socket's peer ran as when it connected.
    public static func peerUser(_ socket: Int32) throws(SystemError) -> UInt32 {
        var user: uid_t = 0
        _ = try checking("SO_PEERCRED") { unsafe clinux_peer_uid(socket, &user) }
        return user
    }

    /// Has the kernel keep little of what a peer has not read yet, at its own minimum for 1; where
    /// it does not, the peer gets more that is out of date.
    public static func setSendBuffer(_ socket: Int32, bytes: Int) {
        var size = Int32(clamping: bytes)
        unsafe setsockopt(
            socket, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Makes reads and writes of a descriptor answer `EAGAIN` instead of waiting.
    public static func makeNonBlocking(_ descriptor: Int32) throws(SystemError) {
        let flags = try retrying("fcntl") { fcntl(descriptor, F_GETFL) }
        _ = try retrying("fcntl") { fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
    }
}
