import Glibc

/// One thing that happened to what an inotify instance watches.
struct InotifyEvent: Equatable {
    /// Which watch it is about; -1 where events were lost.
    var watch: Int32
    /// What happened, as IN_* bits.
    var mask: UInt32
    /// Which name in the watched directory it happened to; empty for what is watched itself.
    var name: [UInt8]

    /// The kernel's record before the name: watch, mask, cookie and the name's room.
    private static let headerBytes = 16

    /// Takes apart what one `read` brought; a record that is cut ends it.
    static func all(in bytes: ArraySlice<UInt8>) -> [InotifyEvent] {
        var events: [InotifyEvent] = []
        var rest = bytes
        while rest.count >= headerBytes {
            func word(_ index: Int) -> UInt32 {
                let start = rest.startIndex + 4 * index
                return rest[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
            }
            let room = Int(word(3))
            guard rest.count - headerBytes >= room else { break }
            // Padded with NUL.
            let name = rest.dropFirst(headerBytes).prefix(room).prefix { $0 != 0 }
            events.append(
                InotifyEvent(watch: Int32(bitPattern: word(0)), mask: word(1), name: Array(name)))
            rest = rest.dropFirst(headerBytes + room)
        }
        return events
    }
}
