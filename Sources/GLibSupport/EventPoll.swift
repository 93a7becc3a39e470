import CGLib
import CLinux

/// The epoll instance behind every `FileWatch`, polled by GLib as one descriptor.
@MainContext
final class EventPoll {
    static let shared = EventPoll()

    private let epoll: Descriptor
    /// Watches by slot. A token is a slot and the number of its uses so far, so that an event
    /// fetched before its watch was cancelled never reaches the slot's next watch.
    private var slots: [(watch: FileWatch?, uses: UInt32)] = []
    private var freeSlots: [Int] = []

    private init() {
        let number = clinux_epoll_create()
        precondition(number >= 0, "epoll_create1 failed: \(SystemError(-number, "epoll_create1"))")
        epoll = Descriptor(owning: number)
        unsafe g_unix_fd_add_full(
            G_PRIORITY_DEFAULT, number, G_IO_IN,
            { _, _, _ in
                MainContext.assumeIsolated { EventPoll.shared.dispatchWaiting() }
                return 1
            }, nil, nil)
    }

    func add(
        _ watch: FileWatch, _ number: Int32, _ events: FileWatch.Events
    ) throws(SystemError) -> UInt64 {
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count { slots.append((nil, 0)) }
        let token = UInt64(slots[slot].uses) << 32 | UInt64(slot)
        do throws(SystemError) {
            _ = try checking("epoll_ctl") {
                clinux_epoll_add(epoll.number, number, events.rawValue, token)
            }
        } catch {
            freeSlots.append(slot)
            throw error
        }
        slots[slot].watch = watch
        return token
    }

    func modify(_ number: Int32, _ events: FileWatch.Events, _ token: UInt64) {
        let result = clinux_epoll_modify(epoll.number, number, events.rawValue, token)
        precondition(result == 0, "a watched descriptor was closed before its watch")
    }

    func remove(_ number: Int32, _ token: UInt64) {
        let result = clinux_epoll_remove(epoll.number, number)
        precondition(result == 0, "a watched descriptor was closed before its watch")
        let slot = Int(token & 0xffff_ffff)
        slots[slot].watch = nil
        slots[slot].uses &+= 1
        freeSlots.append(slot)
    }

    private func dispatchWaiting() {
        let empty = clinux_event()
        unsafe withUnsafeTemporaryAllocation(
            of: clinux_event.self, capacity: Int(CLINUX_MAX_EVENTS)
        ) { events in
            unsafe events.initialize(repeating: empty)
            let count = unsafe clinux_epoll_fetch(epoll.number, events.baseAddress)
            for index in 0..<max(0, Int(count)) {
                let token = unsafe events[index].token
                let slot = Int(token & 0xffff_ffff)
                guard slots[slot].uses == UInt32(token >> 32), let watch = slots[slot].watch
                else { continue }
                watch.dispatch(FileWatch.Events(rawValue: unsafe events[index].events))
                MainContext.runReadyJobs()
            }
        }
    }
}
