import CLinux

/// A watch on a descriptor: its handler runs on the main context whenever the descriptor is ready.
///
/// All watches share one epoll instance, which is the only descriptor that GLib polls for them:
/// a hundred idle connections cost an iteration nothing. It stays in force until `cancel`, which
/// comes before the descriptor is closed.
@MainContext
public final class FileWatch {
    /// What a descriptor is ready for, or is to be watched for.
    public struct Events: OptionSet, Sendable {
        /// The kernel's bits.
        public var rawValue: UInt32

        /// Creates a set from the kernel's bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Bytes, a connection, or the end of the stream can be read.
        public static let readable = Events(rawValue: UInt32(CLINUX_POLL_IN))
        /// Bytes can be written.
        public static let writable = Events(rawValue: UInt32(CLINUX_POLL_OUT))
        /// The peer will send nothing more.
        public static let peerClosed = Events(rawValue: UInt32(CLINUX_POLL_PEER_CLOSED))
        /// The peer is gone; reported whether asked for or not.
        public static let hungUp = Events(rawValue: UInt32(CLINUX_POLL_HANG_UP))
        /// An error waits on the descriptor; reported whether asked for or not.
        public static let failed = Events(rawValue: UInt32(CLINUX_POLL_ERROR))
    }

    /// Called with what the descriptor is ready for.
    public typealias Handler = @MainContext (Events) -> Void

    private let number: Int32
    private let handler: Handler
    private var token: UInt64?

    /// Starts to watch a descriptor, whose owner keeps it open until `cancel`.
    public init(
        _ number: Int32, for interest: Events, handler: @escaping Handler
    ) throws(SystemError) {
        self.number = number
        self.interest = interest
        self.handler = handler
        token = try EventPoll.shared.add(self, number, interest)
    }

    /// What the descriptor is watched for; setting it to what it is costs nothing.
    public var interest: Events {
        didSet {
            guard interest != oldValue, let token else { return }
            EventPoll.shared.modify(number, interest, token)
        }
    }

    /// Ends the watch: the handler is not called again, not even for what was already fetched.
    public func cancel() {
        guard let token else { return }
        self.token = nil
        EventPoll.shared.remove(number, token)
    }

    /// Ends the watch over a descriptor that its owner closes at once, which takes it out of the
    /// kernel's set: `cancel`, and one system call less.
    public func cancelByClosing() {
        guard let token else { return }
        self.token = nil
        EventPoll.shared.forget(token)
    }

    /// What has something left to do when every descriptor that was ready has been served.
    public protocol RoundCloser: AnyObject {
        /// Called once for each time that it was asked for.
        @MainContext func closeRound()
    }

    /// Calls an object once every descriptor that is ready now has had its handler called: at once
    /// where no handler is at work.
    public static func tellRoundsEnd(to closer: any RoundCloser) {
        EventPoll.shared.tellRoundsEnd(to: closer)
    }

    func dispatch(_ events: Events) {
        handler(events)
    }
}
