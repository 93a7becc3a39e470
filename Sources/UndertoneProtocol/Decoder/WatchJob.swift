/// What the daemon asks of the decoder for a watch: to look out for changes of where paths lead.
public struct WatchJob: Hashable, Sendable {
    /// The absolute paths, any bytes but NUL; at most `Limits.watchPictures`.
    public var paths: [[UInt8]]

    /// Creates a job.
    public init(paths: [[UInt8]]) {
        self.paths = paths
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
