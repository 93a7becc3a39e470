/// What the daemon asks of the decoder about paths: to look out for changes of where they lead, or
/// only to go there, so that the kernel knows the way.
public struct WatchJob: Hashable, Sendable {
    /// The absolute paths, any bytes but NUL; at most `Limits.watchPictures`.
    public var paths: [[UInt8]]
    /// Whether watches are placed, in an inotify instance that comes with the job.
    public var placesWatches: Bool

    /// Creates a job.
    public init(paths: [[UInt8]], placesWatches: Bool = true) {
        self.paths = paths
        self.placesWatches = placesWatches
    }
}

/// One thing to look out for: a name in a directory, or a file itself.
public struct WatchPlace: Hashable, Sendable {
    /// The inotify watch descriptor.
    public var watch: Int32
    /// The name in the watched directory whose events matter; empty for the watched file itself.
    public var name: [UInt8]

    /// Creates a place.
    public init(watch: Int32, name: [UInt8]) {
        self.watch = watch
        self.name = name
    }
}
