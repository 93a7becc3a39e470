import CGLib

/// A timer whose handler runs once on the main context, each time that it was scheduled.
///
/// It holds a GLib source only while it is scheduled, and is unscheduled with its last reference.
@MainContext
@safe
public final class MainTimer {
    private let handler: @MainContext () -> Void
    private nonisolated(unsafe) var source: UnsafeMutablePointer<GSource>?

    /// Creates a timer that is not scheduled.
    public init(handler: @escaping @MainContext () -> Void) {
        self.handler = handler
    }

    /// Whether the handler is going to run.
    public var isScheduled: Bool { unsafe source != nil }

    /// Runs the handler after this many seconds, and not when it was scheduled for before.
    public func schedule(after seconds: Double) {
        unschedule()
        let milliseconds = UInt32(max(0, min(seconds * 1000, 1e9)).rounded(.up))
        let source = unsafe g_timeout_source_new(milliseconds)
        // Unretained: the source is destroyed before this object is.
        unsafe g_source_set_callback(
            source, fireTimer, Unmanaged.passUnretained(self).toOpaque(), nil)
        unsafe g_source_attach(source, nil)
        unsafe self.source = source
    }

    /// Makes sure that the handler does not run until it is scheduled again.
    public func unschedule() {
        guard let source = unsafe source else { return }
        unsafe self.source = nil
        unsafe g_source_destroy(source)
        unsafe g_source_unref(source)
    }

    fileprivate func fire() {
        unschedule()
        handler()
        MainContext.runReadyJobs()
    }

    deinit {
        if let source = unsafe source {
            unsafe g_source_destroy(source)
            unsafe g_source_unref(source)
        }
    }
}

private nonisolated let fireTimer: GSourceFunc = { pointer in
    guard let pointer = unsafe pointer else { return 0 }
    let timer = unsafe Unmanaged<MainTimer>.fromOpaque(pointer).takeUnretainedValue()
    MainContext.assumeIsolated { timer.fire() }
    return 0
}
