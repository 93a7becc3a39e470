import UndertoneColor

/// A summary that the disk has kept, validated.
struct StoredSummary: Equatable, Sendable {
    /// As the decoder sent it.
    let packed: [UInt8]
    /// How many regions it has.
    let regions: Int

    /// Takes a summary that was validated before.
    init(packed: [UInt8], regions: Int) {
        self.packed = packed
        self.regions = regions
    }

    /// Takes what lay on a disk: nil unless it is what was stored under that key.
    init?(_ row: Row, for key: StoreKey) {
        guard (1...ImageSummary.maximumEncodedSize).contains(row.size),
            let packed = Zlib.inflate(row.value, count: row.size),
            row.checksum == Zlib.checksum([packed, key.bytes]),
            let summary = try? ImageSummary(validating: packed),
            summary.identityAfter == key.identity, summary.regions.count == key.regions
        else { return nil }
        self.init(packed: packed, regions: key.regions)
    }

    /// A summary as it lies on the disk.
    struct Row {
        /// Bytes of the packed summary.
        let size: Int
        /// What tells a summary and its key from damaged ones: a bit of a table that flips leaves
        /// a table that could be one.
        let checksum: UInt32
        /// The packed summary, compressed: to less than half.
        let value: [UInt8]
    }
}

extension StoredSummary.Row {
    /// Makes a summary's row.
    init(_ packed: [UInt8], for key: StoreKey) {
        self.init(
            size: packed.count, checksum: Zlib.checksum([packed, key.bytes]),
            value: Zlib.deflate(packed))
    }
}
