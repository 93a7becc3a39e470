public import GLibSupport
internal import Glibc
internal import UndertoneProtocol

/// A connection to the daemon, for one thread.
///
/// Sending never waits for the daemon to read: what does not fit into the socket stays here until
/// `wait` finds room, and meanwhile replies come in. So no number of questions and answers can
/// make client and daemon wait for each other.
public final class Connection {
    /// The longest reply that is understood, in bytes.
    static let replyBytes = 16 << 20
    /// Twice what the daemon may take for what it answers without a decoder, in seconds.
    static let patienceForState = 2 * Double(Limits.startPatienceSeconds)

    private var socket: SharedDescriptor
    private var output: [UInt8] = []
    private var outputStart = 0
    private var piece = [UInt8](repeating: 0, count: 64 * 1024)
    private var input = LineBuffer(limit: Connection.replyBytes)
    private var isFinishing = false
    private var isOutputClosed = false
    /// Whether anything came back.
    private var hasHeard = false
    /// What was to be sent before anything came back, as long as that may have to be sent again.
    private var unheard: [UInt8]? = []
    /// Connects to the daemon's successor. A daemon that is told to end while a client connects
    /// answers nothing or that it is shutting down; the successor is asked instead, once.
    var reconnect: (() throws(ClientError) -> Connection)?
    /// The moment of `MainContext.now` from which on nothing is waited for; nil for never.
    ///
    /// It is for whole replies: the blanks between them are no sign that one is near. The daemon
    /// sends those to clients that have finished, and only they may have to wait for long.
    var deadline: Double?
    /// Whether that moment has passed.
    var isLate: Bool { deadline.map { MainContext.now >= $0 } ?? false }
    /// Whether the daemon has ended the connection; lines may be left to take.
    public private(set) var isAtEnd = false

    /// Connects to the socket at a path.
    public init(to path: [UInt8]) throws(SystemError) {
        // Connecting waits where the daemon's backlog is full; only then is waiting for us.
        let descriptor = try UnixSocket.stream(nonBlocking: false)
        try UnixSocket.connect(descriptor, to: UnixSocketAddress(path))
        try UnixSocket.makeNonBlocking(descriptor.number)
        socket = SharedDescriptor(descriptor)
    }

    /// The user that the daemon ran as when it began to listen.
    func peerUser() throws(SystemError) -> UInt32 { try UnixSocket.peerUser(socket.number) }

    /// The socket's number, which stays the connection's.
    var descriptor: Int32 { socket.number }

    /// The bytes that wait to be sent.
    var pendingOutput: Int { output.count - outputStart }

    /// Adds bytes to be sent, whole lines or pieces of them.
    public func enqueue(_ bytes: some Sequence<UInt8>) {
        if outputStart == output.count {
            output.removeAll(keepingCapacity: true)
            outputStart = 0
        }
        let start = output.count
        output.append(contentsOf: bytes)
        if reconnect != nil { unheard?.append(contentsOf: output[start...]) }
    }

    /// Tells the daemon, once everything is sent, that no more questions come.
    public func finish() {
        isFinishing = true
    }

    /// Takes the next reply that has come, without blanks around it, or nil if none has.
    public func nextLine() throws(ClientError) -> [UInt8]? {
        switch input.next() {
        case .text(let line):
            if unheard != nil, reconnect != nil, Self.isFarewell(line) {
                try askSuccessor()
                return nil
            }
            unheard = nil
            return line
        case .tooLong: throw .malformedReply
        case nil: return nil
        }
    }

    private static func isFarewell(_ line: [UInt8]) -> Bool {
        let code = (try? JSONDocument(parsing: line))?["error"]?["code"]?.text
        return code == ErrorCode.shuttingDown.rawValue
    }

    /// Sends everything to the daemon that comes after this one.
    private func askSuccessor() throws(ClientError) {
        guard let reconnect, let unheard else { return }
        self.reconnect = nil
        self.unheard = nil
        socket = try reconnect().socket
        input = LineBuffer(limit: Connection.replyBytes)
        (output, outputStart) = (unheard, 0)
        (isAtEnd, isOutputClosed) = (false, false)
    }

    /// Sends what the socket has room for.
    func push() throws(ClientError) {
        do throws(SystemError) {
            try send()
        } catch {
            throw .system(error)
        }
    }

    /// Sends and receives whatever is possible, and waits until something is.
    ///
    /// - Parameter other: A descriptor to wait for as well.
    /// - Returns: Whether `other` is readable, or at its end.
    @discardableResult
    public func wait(alsoFor other: Int32? = nil) throws(ClientError) -> Bool {
        try wait(other, Int16(POLLIN))
    }

    /// Does the same, and waits for the end of another descriptor, such as a pipe that nobody reads
    /// any more, rather than for anything in it.
    func wait(alsoForEndOf other: Int32) throws(ClientError) -> Bool {
        try wait(other, 0)
    }

    private func wait(_ other: Int32?, _ events: Int16) throws(ClientError) -> Bool {
        let isReady: Bool
        let isHeard: Bool
        do throws(SystemError) {
            // Most often there is room at once, and poll has only to wait for the answer.
            try send()
            var polled = [
                pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: other ?? -1, events: events, revents: 0),
            ]
            if pendingOutput > 0 { polled[0].events |= Int16(POLLOUT) }
            // At its end the socket would be readable for ever.
            if isAtEnd { polled[0].fd = -1 }
            let count = nfds_t(polled.count)
            let patience = deadline.map { end in
                Int32(max(0, (end - MainContext.now) * 1000).rounded(.up))
            }
            isHeard = try retrying("poll") { unsafe poll(&polled, count, patience ?? -1) } > 0
            if polled[0].revents != 0 {
                try send()
                try receive()
            }
            isReady = polled[1].revents != 0
        } catch {
            throw .system(error)
        }
        guard isHeard else { throw .silent }
        if isAtEnd, !hasHeard, unheard?.isEmpty == false { try askSuccessor() }
        return isReady
    }

    private func send() throws(SystemError) {
        while pendingOutput > 0, !isOutputClosed {
            do throws(SystemError) {
                outputStart += try retrying("send") {
                    unsafe output.withUnsafeBytes { bytes in
                        unsafe Glibc.send(
                            socket.number, bytes.baseAddress.unsafelyUnwrapped + outputStart,
                            bytes.count - outputStart, Int32(MSG_NOSIGNAL))
                    }
                }
            } catch {
                if error.number == EAGAIN { return }
                // The daemon reads no more, and may have said why: that is still to be read.
                guard error.number == EPIPE || error.number == ECONNRESET else { throw error }
                isOutputClosed = true
            }
        }
        if isOutputClosed { outputStart = output.count }
        if isFinishing, !isOutputClosed {
            shutdown(socket.number, Int32(SHUT_WR))
            isOutputClosed = true
        }
    }

    private func receive() throws(SystemError) {
        do throws(SystemError) {
            let count = try retrying("recv") {
                unsafe recv(socket.number, &piece, piece.count, 0)
            }
            if count == 0 { isAtEnd = true } else { hasHeard = true }
            unsafe piece.withUnsafeBytes { bytes in
                unsafe input.append(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            }
        } catch {
            if error.number == EAGAIN { return }
            guard error.number == ECONNRESET else { throw error }
            isAtEnd = true
        }
    }
}
