import Glibc
import UndertoneProtocol

/// What one watch looks out for: names in watched directories, and watched files.
struct WatchedPlaces: Equatable {
    private var names: [Int32: Set<LineKey>] = [:]

    /// Looks out for what a child has placed.
    init(_ places: [WatchPlace] = []) {
        for place in places {
            names[place.watch, default: []].insert(LineKey(bytes: place.name))
        }
    }

    /// The watches.
    var watches: Set<Int32> { Set(names.keys) }

    /// Whether an event may change where the paths lead, or what is there.
    func concerns(_ event: InotifyEvent) -> Bool {
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
        guard let names = names[event.watch] else { return false }
        // Without a name it is about the file or the directory itself, whose watch may be gone.
        return event.name.isEmpty || names.contains(LineKey(bytes: event.name))
    }
}
