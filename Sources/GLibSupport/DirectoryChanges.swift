import Glibc

/// Notices that something in a directory was written, replaced, moved or removed.
///
/// A wait for a directory on a hung mount never ends, so only those that the process itself was
/// started with may be watched.
public struct DirectoryChanges: Sendable {
    private let events: SharedDescriptor

    /// A descriptor that is readable while there is a change that was not forgotten.
    public var number: Int32 { events.number }

    /// Begins to watch a directory.
    ///
    /// - Parameter floor: The least number that the descriptor may have.
    /// - Throws: What the kernel says if it can't watch one more directory.
    public init(in directory: [UInt8], from floor: Int32 = 0) throws(SystemError) {
        let first = Descriptor(
            owning: try retrying("inotify_init") {
                inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
            })
        let number = try retrying("dup") { fcntl(first.number, F_DUPFD_CLOEXEC, floor) }
        events = SharedDescriptor(Descriptor(owning: number))
        let changes =
            IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
            | IN_MOVE_SELF
        _ = try retrying("watching a directory") {
            unsafe inotify_add_watch(number, directory.cString, UInt32(changes))
        }
    }

    /// Forgets what changed: only what is there now matters.
    public func forget() {
        var room = [UInt8](repeating: 0, count: 4096)
        while unsafe read(number, &room, room.count) > 0 {}
    }

    /// The directory of a file, by its path.
    public static func directory(of path: [UInt8]) -> [UInt8] {
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return [UInt8(ascii: ".")] }
        return slash == 0 ? [UInt8(ascii: "/")] : Array(path[..<slash])
    }
}
