import UndertoneColor
import UndertoneProtocol

/// What a stored summary is of: the file, and how it was decoded.
struct StoreKey: Hashable, Sendable {
    /// The file.
    let identity: FileIdentity
    /// How many regions there must be.
    let regions: Int
    /// What the question and the program's version say, for comparison as a whole.
    let bytes: [UInt8]

    /// Packs the memory cache's key; nil for a file that is not known, or not for long.
    init?(_ key: DecodeSchedule.Key) {
        // File systems that stamp by hundredths of a second or coarser, such as FAT and those of
        // FUSE, give their files other inodes at the next mount.
        guard let identity = key.identity,
            identity.changed % Limits.passingTimestampNanoseconds != 0
        else { return nil }
        self.identity = identity
        regions = key.job.regions.count
        var writer = ByteWriter()
        for number in [identity.device, identity.inode, identity.size] { writer.append(number) }
        writer.append(identity.modified)
        writer.append(identity.changed)
        writer.append(raw: key.job.encoded(slot: 0))
        writer.append(raw: Version.current.utf8)
        bytes = writer.bytes
    }
}
