/// What the daemon says of its cache in answer to `cache`.
public struct CacheReport: Equatable, Sendable {
    /// What is kept in memory.
    public var memory = Memory()
    /// What is kept on disk.
    public var disk = Disk()

    /// Creates a report of two caches.
    public init(memory: Memory = Memory(), disk: Disk = Disk()) {
        self.memory = memory
        self.disk = disk
    }

    /// What is kept in memory.
    public struct Memory: Equatable, Sendable {
        /// Summaries.
        public var entries: Int
        /// What they take, answers included.
        public var bytes: Int
        /// What they may take.
        public var limit: Int
        /// Questions that were answered from it, and that were not.
        public var hits, misses: Int

        /// Creates a report, by default of an empty cache.
        public init(
            entries: Int = 0, bytes: Int = 0, limit: Int = Limits.memoryCacheBytes, hits: Int = 0,
            misses: Int = 0
        ) {
            self.entries = entries
            self.bytes = bytes
            self.limit = limit
            self.hits = hits
            self.misses = misses
        }
    }

    /// What is kept on disk.
    public struct Disk: Equatable, Sendable {
        /// Whether it is asked, and why it is not.
        public var state = DiskState.off
        /// The database's path; nil where nothing is kept.
        public var path: [UInt8]?
        /// Summaries; nil where that cannot be told.
        public var entries: Int?
        /// What the files take; nil where that cannot be told.
        public var bytes: Int?
        /// What they may take.
        public var limit = 0
        /// Summaries that were found in it, and that were wanted and not found in time.
        public var hits = 0, misses = 0

        /// Creates a report of no cache.
        public init() {}
    }

    /// Whether the cache on disk is asked.
    public enum DiskState: String, CaseIterable, Sendable {
        /// There is to be none.
        case off
        /// It is.
        case ready
        /// Another daemon of the same user has the file.
        case busy
        /// The disk is full: what is there is found, and nothing is added.
        case full
        /// The disk has not answered in time, and is not asked before it does.
        case stalled
        /// The directory or the file cannot be used.
        case unusable
    }
}
