/// What the daemon says of itself in answer to `status`.
public struct StatusReport: Equatable, Sendable {
    /// The daemon's process.
    public var process: Int32 = 0
    /// What the decoder can do on this machine; nil while none can run.
    public var decoder: DecoderCapabilities?
    /// Seconds from the start of a picture's decoding to the death of its child.
    public var deadlineSeconds = Limits.deadlineSeconds
    /// Bytes of summaries kept in memory.
    public var memoryCacheBytes = Limits.memoryCacheBytes
    /// Bytes of summaries kept on disk; 0 for none.
    public var diskCacheBytes = 0
    /// How often each error was answered.
    public var errors: [ErrorCode: Int] = [:]
    /// What has happened since the daemon started, and what is going on.
    public var counters = Counters()

    /// Creates a report of a daemon that has done nothing yet.
    public init() {}

    /// Counts since the daemon's start, and of the moment.
    public struct Counters: Equatable, Sendable {
        /// Seconds since the start.
        public var uptimeSeconds = 0
        /// Connections that are open, the asking one included.
        public var connections = 0
        /// Connections that were ever accepted.
        public var connectionsAccepted = 0
        /// Connections that were turned away because there were too many.
        public var connectionsRefused = 0
        /// Lines that were taken as requests, good or bad.
        public var requests = 0
        /// Requests that were answered, whether well or with an error.
        public var replies = 0
        /// Requests that were answered with an error.
        public var errors = 0
        /// Pictures that a child was started for.
        public var decodes = 0
        /// Questions that were answered from the memory cache.
        public var cacheHits = 0
        /// Questions that the memory cache could not answer.
        public var cacheMisses = 0
        /// Questions that joined another one's decoding.
        public var sharedDecodes = 0
        /// Summaries in the memory cache, and their bytes.
        public var cacheEntries = 0, cacheBytes = 0
        /// Summaries that were found on disk, and that were wanted and not found there in time.
        public var diskHits = 0, diskMisses = 0
        /// Pictures that can be decoded at once.
        public var decoderSlots = 0
        /// Children at work.
        public var decodersRunning = 0
        /// Pictures that wait for a child.
        public var decodersQueued = 0
        /// Children that were killed and have not died: each holds a slot until it does.
        public var decodersStuck = 0
        /// Children that were killed at their deadline.
        public var timeouts = 0
        /// Children that crashed.
        public var crashes = 0
        /// Times that a zygote was started again.
        public var zygoteRestarts = 0

        /// Connections that watch.
        public var connectionsWatching = 0
        /// Events that those who watch were told of.
        public var events = 0

        /// Creates counts of nothing.
        public init() {}
    }
}
