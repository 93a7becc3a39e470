import Glibc

/// What systemd asks of a service, without its library: readiness and passed sockets.
///
/// Both are no-ops where no service manager is.
public enum ServiceManager {
    /// Tells the service manager a state such as `READY=1`; failures are ignored, as sd_notify(3)
    /// advises.
    public static func notify(_ state: String) {
        guard let path = Environment["NOTIFY_SOCKET"], let first = path.first,
            first == UInt8(ascii: "/") || first == UInt8(ascii: "@"),
            let address = try? UnixSocketAddress(path, abstract: first == UInt8(ascii: "@"))
        else { return }
        let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return }
        let descriptor = Descriptor(owning: number)
        let bytes = Array(state.utf8)
        unsafe address.withPointer { pointer, length in
            _ = unsafe sendto(
                descriptor.number, bytes, bytes.count, Int32(MSG_NOSIGNAL), pointer,
                length)
        }
    }

    /// Whether a descriptor leads to the journal, by `JOURNAL_STREAM`: then a line may begin with
    /// its priority, as sd-daemon(3) has it.
    public static func hasJournal(on descriptor: Int32) -> Bool {
        guard let stream = Environment["JOURNAL_STREAM"] else { return false }
        var found = stat()
        guard unsafe fstat(descriptor, &found) == 0 else { return false }
        return stream == Array("\(found.st_dev):\(found.st_ino)".utf8)
    }

    /// Takes over the sockets that the service manager passed to this process: descriptors 3 and
    /// up, counted by `LISTEN_FDS`, if `LISTEN_PID` is this process.
    ///
    /// The variables are removed, so a second call and child processes find none.
    public static func takePassedSockets() -> [SharedDescriptor] {
        defer { Environment.remove(["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]) }
        guard let pid = number("LISTEN_PID"), pid == getpid(), let count = number("LISTEN_FDS"),
            count > 0, count <= 1024
        else { return [] }
        return (3..<3 + count).compactMap { descriptor in
            let flags = fcntl(descriptor, F_GETFD)
            guard flags >= 0 else { return nil }
            _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC)
            return SharedDescriptor(Descriptor(owning: descriptor))
        }
    }

    private static func number(_ name: String) -> Int32? {
        Environment[name].flatMap { Int32(String(decoding: $0, as: UTF8.self)) }
    }
}
