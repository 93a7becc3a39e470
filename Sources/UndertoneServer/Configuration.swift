import UndertoneProtocol

/// How a daemon is to work, as its command line says.
struct Configuration: Sendable {
    /// The path of the decoder's program.
    var decoder: [UInt8]
    /// Pictures that are decoded at once.
    var jobs: Int
    /// Seconds that one picture may take.
    var deadlineSeconds = Limits.deadlineSeconds
    /// Bytes of summaries kept in memory.
    var memoryCacheBytes = Limits.memoryCacheBytes
    /// Bytes of summaries kept on disk; 0 for none.
    var diskCacheBytes = Limits.diskCacheBytes
    /// Where they are kept, if there is a place.
    var cacheFolder: StoreFolder?
    /// Whether pictures are decoded where they cannot be confined.
    var sandbox = SandboxRequirement.required
}
