public import UndertoneColor

/// What the zygote tells the daemon. One packet each, on a `SOCK_SEQPACKET` pair.
public enum ZygoteEvent: Equatable, Sendable {
    /// The sandbox is proved, and work may be sent.
    case ready(DecoderCapabilities)
    /// A slot's child runs; its report pipe's reading end and its pidfd come with the packet,
    /// in that order.
    case started(slot: UInt32, pid: Int32)
    /// A slot's child could not be made; `errno` says why.
    case notStarted(slot: UInt32, errno: Int32)
    /// A slot's child is gone and reaped: its exit code, or the signal that ended it.
    case exited(slot: UInt32, code: Int32, signal: Int32)
    /// Other loaders are installed now than those in memory.
    case outdated
    /// All that children share is in memory, and work begins.
    case prepared
}

/// What a zygote can do on this machine.
public struct DecoderCapabilities: Equatable, Sendable {
    /// The formats whose loaders are installed.
    public var formats: Set<ImageFormat>
    /// The Landlock ABI in use, 0 where the kernel has none.
    public var landlock: UInt32
    /// Whether the system-call filter is in use.
    public var seccomp: Bool

    /// Creates a description.
    public init(formats: Set<ImageFormat>, landlock: UInt32, seccomp: Bool) {
        self.formats = formats
        self.landlock = landlock
        self.seccomp = seccomp
    }

    /// Keeps of the confinement only what another zygote has, too.
    public mutating func weakenSandbox(to other: DecoderCapabilities) {
        landlock = min(landlock, other.landlock)
        seccomp = seccomp && other.seccomp
    }
}

/// The two kinds of zygote.
public enum DecoderProfile: String, CaseIterable, Sendable {
    /// Raster formats: the narrowest system-call filter.
    case raster
    /// SVG and HEIC, whose loaders need threads, and fonts for SVG.
    case wide
}
