import CGLib
import CLinux

/// The epoll instance behind every `FileWatch`, polled by GLib as one descriptor.
///
/// Where GLib polls nothing but this and its own wake-up, it waits in `epoll_wait` itself, which
/// brings the events at once: one system call less for each round.
@MainContext
@safe
final class EventPoll {
    static let shared = EventPoll()

    /// The token of GLib's wake-up descriptor; no slot is numbered so.
    private static let wakeUpToken = UInt64.max

    private let epoll: Descriptor
    /// Watches by slot. A token is a slot and the number of its uses so far, so that an event
    /// fetched before its watch was cancelled never reaches the slot's next watch.
    private var slots: [(watch: FileWatch?, uses: UInt32)] = []
    private var freeSlots: [Int] = []
    /// Events that were fetched and not told yet.
    private let events: UnsafeMutableBufferPointer<clinux_event>
    private var fetched = 0
    /// GLib's wake-up descriptor, once it is in the epoll set.
    private var wakeUp: Int32?
    /// Whether the handlers of a round are being called.
    private var isInRound = false
    /// What waits for the last of them.
    private var closers: [any FileWatch.RoundCloser] = []

    private init() {
        let number = clinux_epoll_create()
        precondition(number >= 0, "\(SystemError(-number, "epoll_create1"))")
        epoll = Descriptor(owning: number)
        unsafe events = .allocate(capacity: Int(CLINUX_MAX_EVENTS))
        unsafe events.initialize(repeating: clinux_event())
        unsafe g_main_context_set_poll_func(nil, pollDescriptors)
        guard let source = unsafe g_unix_fd_source_new(number, G_IO_IN) else {
            fatalError("out of memory")
        }
        // Otherwise GLib takes the descriptor out of its poll while the callback runs, and wakes
        // itself up for that: three system calls more each time.
        unsafe g_source_set_can_recurse(source, 1)
        unsafe g_source_set_callback(
            source, unsafeBitCast(dispatchEvents, to: GSourceFunc.self), nil, nil)
        unsafe g_source_attach(source, nil)
        unsafe g_source_unref(source)
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
        forget(token)
    }

    /// Ends a watch whose descriptor is being closed.
    func forget(_ token: UInt64) {
        let slot = Int(token & 0xffff_ffff)
        slots[slot].watch = nil
        slots[slot].uses &+= 1
        freeSlots.append(slot)
    }

    /// Tells the watches of what was fetched, or of what waits now.
    fileprivate func dispatch() {
        if fetched == 0 { fetch(within: 0) }
        let count = fetched
        fetched = 0
        isInRound = true
        for index in 0..<count {
            let token = unsafe events[index].token
            let slot = Int(token & 0xffff_ffff)
            guard token != Self.wakeUpToken, slots[slot].uses == UInt32(token >> 32),
                let watch = slots[slot].watch
            else { continue }
            watch.dispatch(FileWatch.Events(rawValue: unsafe events[index].events))
            MainContext.runReadyJobs()
        }
        isInRound = false
        while let closer = closers.popLast() {
            closer.closeRound()
            MainContext.runReadyJobs()
        }
    }

    func tellRoundsEnd(to closer: any FileWatch.RoundCloser) {
        if isInRound { closers.append(closer) } else { closer.closeRound() }
    }

    private func fetch(within milliseconds: Int32) {
        fetched = max(
            0, Int(unsafe clinux_epoll_wait(epoll.number, events.baseAddress, milliseconds)))
    }

    /// Polls as GLib asks; nil where it asks for more than this instance watches.
    fileprivate func poll(
        _ descriptors: UnsafeMutableBufferPointer<GPollFD>, _ milliseconds: Int32
    ) -> Int32? {
        guard descriptors.count == 2 else { return nil }
        let own = unsafe descriptors[0].fd == epoll.number ? 0 : 1
        let other = unsafe descriptors[1 - own].fd
        guard unsafe descriptors[own].fd == epoll.number, watchesWakeUp(other) else { return nil }
        if fetched == 0 { fetch(within: milliseconds) }
        var revents: InlineArray<2, gushort> = [0, 0]
        for index in 0..<fetched {
            let isWakeUp = unsafe events[index].token == Self.wakeUpToken
            revents[isWakeUp ? 1 - own : own] = gushort(CLINUX_POLL_IN)
        }
        // Without an event of its own it is not dispatched, so nothing may be left.
        if revents[own] == 0 { fetched = 0 }
        unsafe descriptors[0].revents = revents[0]
        unsafe descriptors[1].revents = revents[1]
        return (revents[0] == 0 ? 0 : 1) + (revents[1] == 0 ? 0 : 1)
    }

    /// Whether the epoll set holds GLib's wake-up descriptor; adds it the first time.
    private func watchesWakeUp(_ number: Int32) -> Bool {
        if wakeUp == nil {
            let events = UInt32(CLINUX_POLL_IN)
            let result = clinux_epoll_add(epoll.number, number, events, Self.wakeUpToken)
            if result == 0 { wakeUp = number }
        }
        return wakeUp == number
    }
}

// C functions outside the actor's type: within it they would be taken for isolated, and each call
// would ask the runtime whether it is on the right executor.

private typealias DescriptorCallback = @convention(c) (gint, GIOCondition, gpointer?) -> gboolean

private nonisolated let dispatchEvents: DescriptorCallback = { _, _, _ in
    MainContext.assumeIsolated { EventPoll.shared.dispatch() }
    return 1
}

private nonisolated let pollDescriptors: GPollFunc = { first, count, milliseconds in
    nonisolated(unsafe) let descriptors = unsafe UnsafeMutableBufferPointer(
        start: first, count: Int(count))
    let polled = MainContext.assumeIsolated {
        unsafe EventPoll.shared.poll(descriptors, milliseconds)
    }
    return unsafe polled ?? g_poll(first, count, milliseconds)
}
