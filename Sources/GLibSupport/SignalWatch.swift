import CLinux
import Glibc

/// Brings signals to the main context through a `signalfd`.
///
/// The signals are blocked in the thread that creates the watch, and stay so. GLib's own signal
/// source would start a worker thread.
@MainContext
public final class SignalWatch {
    private let descriptor: Descriptor
    private var watch: FileWatch?

    /// Blocks the signals and calls the handler, with the signal's number, whenever one arrives.
    public init(
        _ signals: [Int32], handler: @escaping @MainContext (Int32) -> Void
    ) throws(SystemError) {
        let number = try checking("signalfd") {
            unsafe clinux_signalfd(signals, Int32(signals.count))
        }
        descriptor = Descriptor(owning: number)
        watch = try FileWatch(number, for: .readable) { _ in
            while let signal = Self.next(number) { handler(signal) }
        }
    }

    /// Ends the watch; the signals stay blocked.
    public func cancel() {
        watch?.cancel()
        watch = nil
    }

    /// Reads one waiting signal. The kernel's record is 128 bytes and begins with the number.
    private static func next(_ descriptor: Int32) -> Int32? {
        var record = InlineArray<32, UInt32>(repeating: 0)
        let size = 128
        let count = unsafe withUnsafeMutableBytes(of: &record) { bytes in
            unsafe read(descriptor, bytes.baseAddress, size)
        }
        return count == size ? Int32(record[0]) : nil
    }
}
