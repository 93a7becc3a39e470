import GLibSupport
import Glibc
import UndertoneProtocol

/// Collects what a child writes into its report pipe, up to the bound and the end of file.
@MainContext
final class ReportReader {
    /// What came of the pipe.
    enum Outcome: Equatable {
        /// The pipe's end was reached; everything that came before it.
        case complete([UInt8])
        /// More came than a report may have.
        case tooLong
    }

    private let pipe: SharedDescriptor
    private var bytes: [UInt8] = []
    private var watch: FileWatch?
    private let onOutcome: @MainContext (Outcome) -> Void

    /// Takes over a pipe's reading end; the handler is called once, unless it is closed before.
    init(
        _ pipe: SharedDescriptor, onOutcome: @escaping @MainContext (Outcome) -> Void
    ) throws(SystemError) {
        self.pipe = pipe
        self.onOutcome = onOutcome
        try UnixSocket.makeNonBlocking(pipe.number)
        watch = try FileWatch(pipe.number, for: .readable) { [weak self] _ in self?.read() }
    }

    /// Reads what is there, without waiting for more.
    func read() {
        while watch != nil {
            let room = Limits.reportBytes + 1 - bytes.count
            let count = unsafe withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) {
                let count = unsafe Glibc.read(pipe.number, $0.baseAddress, room)
                if count > 0 { unsafe bytes.append(contentsOf: $0.prefix(count)) }
                return count
            }
            if count < 0 {
                if errno == EINTR { continue }
                return
            }
            if count == 0 { return finish(.complete(bytes)) }
            if bytes.count > Limits.reportBytes { return finish(.tooLong) }
        }
    }

    /// Ends reading, without an outcome.
    func close() {
        watch?.cancel()
        watch = nil
    }

    private func finish(_ outcome: Outcome) {
        close()
        onOutcome(outcome)
    }
}
