import UndertoneColor

/// Which files paths led to when that was asked last, for questions that were all read before.
///
/// A file has to be looked at after the question about it was read: a client that changes a file
/// and then asks must get the new one's answer. Questions that were read before the look may share
/// it, so whoever reads calls `forget`.
struct PathChecks {
    /// How many paths are remembered: what a client asks of one picture comes close together.
    static let limit = 8

    private var checks: [(path: [UInt8], identity: FileIdentity)] = []
    /// The check that the next one replaces, once there are enough.
    private var oldest = 0
    private let lookUp: @Sendable ([UInt8]) -> FileIdentity?

    /// Creates checks by a look at a path.
    init(by lookUp: @escaping @Sendable ([UInt8]) -> FileIdentity? = PathIdentity.lookUp) {
        self.lookUp = lookUp
    }

    /// Tells which regular file a path leads to, if the kernel knows; what it does not know is
    /// asked each time.
    mutating func identity(of path: [UInt8]) -> FileIdentity? {
        for check in checks where check.path == path { return check.identity }
        guard let identity = lookUp(path) else { return nil }
        if checks.count < Self.limit {
            checks.append((path, identity))
        } else {
            checks[oldest] = (path, identity)
            oldest = (oldest + 1) % Self.limit
        }
        return identity
    }

    /// Forgets all looks: something was read that none of them came after.
    mutating func forget() {
        if checks.isEmpty { return }
        checks.removeAll(keepingCapacity: true)
        oldest = 0
    }
}
