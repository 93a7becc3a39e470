import GLibSupport
import Glibc

/// Notices when the file of a listening socket is gone: nobody can reach the daemon any more.
@MainContext
final class SocketFileWatch {
    private let events: SharedDescriptor
    private let watch: FileWatch

    /// Watches a socket's place; `onLoss` is called for each change after which the socket is not
    /// in it.
    ///
    /// - Throws: What the kernel says if it can't watch one more directory.
    init(
        _ listener: ListeningSocket, in directory: [UInt8],
        onLoss: @escaping @MainContext () -> Void
    ) throws(SystemError) {
        let number = try retrying("inotify_init") {
            inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        }
        let events = SharedDescriptor(Descriptor(owning: number))
        let changes =
            IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
        _ = try retrying("watching the socket's directory") {
            unsafe inotify_add_watch(number, directory.cString, UInt32(changes))
        }
        self.events = events
        watch = try FileWatch(number, for: .readable) { _ in
            Self.drain(events.number)
            if !listener.isInPlace { onLoss() }
        }
    }

    /// Ends the watch.
    func cancel() { watch.cancel() }

    /// Forgets what changed: only what is there now matters.
    private static func drain(_ number: Int32) {
        var room = [UInt8](repeating: 0, count: 4096)
        while unsafe read(number, &room, room.count) > 0 {}
    }
}
