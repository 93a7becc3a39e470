import CLinux
import GLibSupport
import Glibc
import UndertoneColor
import UndertoneProtocol

/// What the daemon itself learns of a client's path.
enum PathIdentity {
    /// Tells which regular file a path leads to, if the kernel knows without asking a disk or a
    /// server: some two microseconds, on a hung mount too.
    ///
    /// - Returns: nil for anything else, which a child has to look at.
    static func lookUp(_ path: [UInt8]) -> FileIdentity? {
        let number = open(path)
        guard number >= 0 else { return nil }
        let descriptor = Descriptor(owning: number)
        var identity = clinux_identity()
        guard unsafe clinux_identify(descriptor.number, &identity) == 0,
            identity.mode & S_IFMT == S_IFREG
        else { return nil }
        return FileIdentity(
            device: identity.device, inode: identity.inode, size: identity.size,
            modified: identity.modified, changed: identity.changed)
    }

    /// Whether the kernel would have to ask a disk or a server where a path leads, as for any path
    /// after a boot.
    static func isUnknown(_ path: [UInt8]) -> Bool {
        let number = open(path)
        if number >= 0 { close(number) }
        return number == -EAGAIN
    }

    /// Opens the place, if the kernel knows it.
    ///
    /// - Returns: A descriptor, or minus the error's number.
    private static func open(_ path: [UInt8]) -> Int32 {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: path.count + 1) { text in
            unsafe UnsafeMutableRawBufferPointer(text).copyBytes(from: path)
            unsafe text[path.count] = 0
            return unsafe clinux_openat2(
                text.baseAddress, CLINUX_O_PATH, UInt64(CLINUX_RESOLVE_CACHED))
        }
    }
}

extension FileIdentity {
    /// Whether any later change is going to show: a file that was changed just before it was read
    /// may be changed again within the same tick of the clock that stamps it.
    ///
    /// - Parameter time: Nanoseconds since the epoch, not after the file was read.
    func isSettled(at time: Int64) -> Bool {
        // A whole second is the stamp of a file system that knows no parts of one, and FAT knows
        // even seconds only.
        let isCoarse = changed % 1_000_000_000 == 0
        let tick = isCoarse ? Limits.coarseTimestampNanoseconds : Limits.timestampNanoseconds
        return changed < time - tick
    }
}
