import GLibSupport
import Glibc

/// Tells path watches that something was mounted or unmounted: what lies over a directory is no
/// event in it.
@MainContext
final class MountWatch {
    private var watches: [ObjectIdentifier: PathWatch] = [:]
    private var table: (file: SharedDescriptor, watch: FileWatch)?

    /// Tells a path watch, until it is removed.
    func add(_ watch: PathWatch) {
        watches[ObjectIdentifier(watch)] = watch
        guard table == nil else { return }
        // Without a /proc nothing is told.
        let number = unsafe open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return }
        let file = SharedDescriptor(Descriptor(owning: number))
        // The kernel reports a change as an error, once.
        let events = try? FileWatch(number, for: []) { [weak self] _ in self?.tell() }
        table = events.map { (file, $0) }
    }

    /// Tells a path watch no more.
    func remove(_ watch: PathWatch) {
        watches[ObjectIdentifier(watch)] = nil
        guard watches.isEmpty else { return }
        table?.watch.cancel()
        table = nil
    }

    private func tell() {
        for watch in watches.values { watch.noteChange() }
    }
}
