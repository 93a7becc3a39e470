import CLinux
import GLibSupport
import Glibc
import UndertoneProtocol

/// The zygote's end of the socket to its daemon.
struct ZygoteChannel {
    /// The socket's descriptor, as the daemon passes it.
    static let inheritedDescriptor = ChildDescriptors.report

    let socket: Int32

    /// Takes the socket that the daemon passed, or answers nil where there is none.
    init?(inherited socket: Int32 = inheritedDescriptor) {
        var type: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &length) == 0,
            type == Int32(SOCK_SEQPACKET.rawValue)
        else { return nil }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        self.socket = socket
    }

    /// The next packet, empty at the end of the daemon, with the descriptor that came along, or nil
    /// while there is none.
    func receive() throws(SystemError) -> (bytes: [UInt8], descriptor: SharedDescriptor?)? {
        var buffer = [UInt8](repeating: 0, count: ZygoteJob.maximumEncodedBytes)
        // More than one are closed, and the packet is refused.
        var number: Int32 = -1
        var descriptors: Int32 = 1
        do {
            let count = try checking("receiving a job") {
                unsafe clinux_receive(socket, &buffer, buffer.count, &number, &descriptors)
            }
            let descriptor =
                descriptors == 1 ? SharedDescriptor(Descriptor(owning: number)) : nil
            return (Array(buffer.prefix(count)), descriptor)
        } catch {
            if error.number == EAGAIN { return nil }
            if error.number == ECONNRESET { return ([], nil) }
            throw error
        }
    }

    /// Sends an event, waiting while the daemon's buffer is full.
    func send(_ event: ZygoteEvent, passing descriptors: [Int32] = []) throws(SystemError) {
        let bytes = event.encoded()
        while true {
            do {
                _ = try checking("sending an event") {
                    unsafe clinux_send(
                        socket, bytes, bytes.count, descriptors, Int32(descriptors.count))
                }
                return
            } catch {
                guard error.number == EAGAIN else { throw error }
            }
            var ready = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
            _ = try retrying("poll") { unsafe poll(&ready, 1, -1) }
        }
    }
}
