import GLibSupport
import Glibc
import UndertoneProtocol

/// Replies on their way to one client, and the watch over a client that does not take them.
@MainContext
final class OutputBuffer {
    /// Room that a buffer which has written everything leaves to the next one: a connection that
    /// waits holds none, and replies do not outgrow it again and again.
    private static var spare: [UInt8] = []

    /// What is to be written; append to it, after `prepare`, then call `write`.
    var bytes: [UInt8] = []
    private var start = 0
    private var descriptor: SharedDescriptor?
    private let patience: Double
    private var progress = 0.0
    private var stallTimer: MainTimer?
    /// Called when the client has taken nothing for too long.
    var onStall: @MainContext () -> Void = {}

    /// - Parameter patience: Seconds for which a client may take nothing.
    init(
        _ descriptor: SharedDescriptor, patience: Double = Double(Limits.stalledClientSeconds)
    ) {
        self.descriptor = descriptor
        self.patience = patience
    }

    /// How many bytes wait.
    var count: Int { bytes.count - start }
    /// Whether everything was taken.
    var isEmpty: Bool { count == 0 }

    /// Makes room for replies.
    func prepare() {
        if bytes.capacity == 0 { swap(&bytes, &Self.spare) }
    }

    /// Writes as much as the client takes now.
    ///
    /// - Returns: false if the client is gone.
    func write() -> Bool {
        guard let descriptor else { return false }
        while count > 0 {
            let written = Self.send(bytes, from: start, to: descriptor.number)
            if written < 0 {
                if errno == EINTR { continue }
                guard errno == EAGAIN else { return false }
                watchForStall()
                return true
            }
            start += written
            if stallTimer != nil { progress = MainContext.now }
        }
        discardWritten()
        if stallTimer != nil { stallTimer = nil }
        return true
    }

    private func discardWritten() {
        start = 0
        if bytes.capacity == 0 { return }
        bytes.removeAll(keepingCapacity: bytes.capacity <= Limits.outputBytes)
        if bytes.capacity > Self.spare.capacity { swap(&bytes, &Self.spare) }
        bytes = []
    }

    /// Nobody's, since an isolated closure asks the runtime at each call whether it is at home.
    private nonisolated static func send(
        _ bytes: [UInt8], from start: Int, to descriptor: Int32
    ) -> Int {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe Glibc.send(
                descriptor, bytes.baseAddress.map { unsafe $0 + start }, bytes.count - start,
                Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
    }

    /// Ends the watch over the client and lets go of its socket.
    func close() {
        descriptor = nil
        stallTimer = nil
        onStall = {}
        bytes = []
        start = 0
    }

    private func watchForStall() {
        // What was written goes once it is most of the buffer.
        if start > bytes.count / 2 {
            bytes.removeFirst(start)
            start = 0
        }
        guard stallTimer == nil else { return }
        progress = MainContext.now
        stallTimer = MainTimer { [weak self] in self?.checkProgress() }
        stallTimer?.schedule(after: patience)
    }

    private func checkProgress() {
        let rest = progress + patience - MainContext.now
        if rest <= 0 { onStall() }
        // Whoever may take his time now may not for ever.
        stallTimer?.schedule(after: rest <= 0 ? patience : rest)
    }
}
