import GLibSupport
import Glibc
import UndertoneProtocol

/// Replies on their way to one client, and the watch over a client that does not take them.
@MainContext
final class OutputBuffer {
    /// What is to be written; append to it, then call `write`.
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

    /// Writes as much as the client takes now.
    ///
    /// - Returns: false if the client is gone.
    func write() -> Bool {
        guard let descriptor else { return false }
        while count > 0 {
            let written = unsafe bytes.withUnsafeBytes { bytes in
                unsafe send(
                    descriptor.number, bytes.baseAddress.map { unsafe $0 + start }, count,
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if written < 0 {
                if errno == EINTR { continue }
                guard errno == EAGAIN else { return false }
                watchForStall()
                return true
            }
            start += written
            progress = MainContext.now
        }
        bytes.removeAll(keepingCapacity: bytes.capacity <= Limits.readBytes)
        start = 0
        stallTimer = nil
        return true
    }

    /// Ends the watch over the client and lets go of its socket.
    func close() {
        descriptor = nil
        stallTimer = nil
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
