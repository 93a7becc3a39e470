/// Every bound that a client or a picture can run into, in one place.
public enum Limits {
    /// The protocol version that this program speaks.
    public static let protocolVersion = 1

    // MARK: A line and its contents

    /// Bytes in one request line, without its newline.
    public static let lineBytes = 64 * 1024
    /// How deep objects and arrays may nest.
    public static let nesting = 16
    /// Bytes in a string `id`.
    public static let idBytes = 128
    /// Bytes in a path; the kernel's own limit, with its final NUL.
    public static let pathBytes = 4096
    /// Regions in one request.
    public static let regions = 16
    /// Bytes in a region's name.
    public static let regionNameBytes = 64

    // MARK: A connection

    /// Connections at once; the next one gets one `busy` line.
    public static let connections = 256
    /// Requests of one connection in flight; beyond it the daemon stops reading.
    public static let requestsInFlight = 64
    /// Bytes of replies that wait for one connection; beyond it the daemon stops reading.
    public static let outputBytes = 256 * 1024
    /// Seconds after which a client that takes none of its waiting replies is hung up on.
    public static let stalledClientSeconds = 30
    /// Seconds in which the last replies must be taken when the daemon ends.
    public static let farewellSeconds = 1
    /// Bytes that are read from one connection before the others' turn.
    public static let readBytes = 16 * 1024
    /// Seconds between the spaces sent to a half-closed client that waits for a reply.
    public static let keepAliveSeconds = 0.2

    /// What the seconds without a client after which a daemon ends can be set to.
    public static let idleExitChoices = 1...604_800

    // MARK: Watches

    /// Connections that watch at once: each takes one of the user's inotify instances, of which
    /// kernels allow 128.
    public static let watches = 64
    /// Names in directories that one watch looks out for.
    public static let watchPlaces = 200
    /// Pictures that one request is about.
    public static let watchPictures = 2
    /// Seconds without a change after which a file counts as settled.
    public static let watchQuietSeconds = 0.075
    /// Seconds from a first change after which the file is looked at even if it goes on changing.
    public static let watchBurstSeconds = 1.0
    /// Seconds between the spaces sent to a half-closed client that watches.
    public static let watchKeepAliveSeconds = 10.0
    /// Bytes that the kernel keeps for a client that watches, so that what a slow one reads is not
    /// long out of date; the kernel raises it to its own minimum.
    public static let watchSendBufferBytes = 4096

    // MARK: A picture

    /// Seconds from the start of a picture's decoding to the death of its child.
    public static let deadlineSeconds = 10
    /// What that can be set to.
    public static let deadlineChoices = 1...3600
    /// Pixels to be allocated for one picture, after JPEG scaling.
    public static let pixels = 100_000_000
    /// Pixels in one picture by its header.
    public static let headerPixels = 1 << 30
    /// Pixels of a JPEG that is decoded again at its full size, where a fraction of it is not
    /// enough: a page of A4 at 600 dpi has 35 million.
    public static let secondPixels = 50_000_000
    /// Bytes of a picture's memory that are worth huge pages: with less than this they are found
    /// more slowly than they are zeroed, and more than that is seldom there in one piece.
    public static let hugePageBytes = 16 << 20...256 << 20
    /// Bytes from which on a block of a decoder's memory is mapped and unmapped by itself.
    public static let mappedBlockBytes = 1 << 20
    /// Bytes of smaller blocks that every picture takes.
    public static let heapBytes = 384 << 10
    /// Bytes in which a progressive JPEG's coefficients are kept while it is decoded.
    public static let coefficientBytes = 384 << 20
    /// Bytes of a JPEG's headers that are copied, to write it again: more than any profile takes.
    public static let headerBytes = 16 << 20
    /// Bytes of a file that are read at once.
    public static let wholeFileBytes = 256 << 20
    /// Bytes of the pieces in which larger files are read.
    public static let pieceBytes = 1 << 20
    /// Bytes in one file.
    public static let fileBytes = 1 << 30
    /// Bytes of data memory (`RLIMIT_DATA`) of one child.
    public static let childDataBytes = 1 << 30
    /// Bytes in a thumbnail's file: twice those of its largest size with alpha, uncompressed.
    public static let thumbnailBytes = 8 << 20
    /// The pixels of a thumbnail's longer side, at most: those of the largest size there is.
    public static let thumbnailSide = 1024
    /// The width and height that a picture's sample fits into, in pixels.
    public static let sampleSide = 480

    // MARK: A child's report

    /// Bytes in everything that a child says of its picture: what an ordinary pipe holds.
    public static let reportBytes = 64 * 1024
    /// Bytes in the message of a child's failure.
    public static let reportMessageBytes = 500
    /// Bytes in the name of a package that would help.
    public static let reportPackageBytes = 64

    // MARK: The decoders

    /// Children at once, whatever the machine and the command line say.
    public static let slots = 64
    /// Seconds for which the first zygote's readiness is waited for before the state is told.
    public static let startPatienceSeconds = 5
    /// Seconds in which a zygote must have started a child that it was asked for.
    public static let startSeconds = 10
    /// Seconds in which a killed child must be gone, or its slot counts as lost.
    public static let deathSeconds = 1.0
    /// Seconds without work after which the wide zygote is ended.
    public static let wideZygoteIdleSeconds = 60
    /// Seconds between two starts of a zygote that keeps dying, at most.
    public static let restartSeconds = 5.0
    /// Seconds for which the list of image loaders must not change before it is read again.
    public static let loadersSettleSeconds = 0.5
    /// Times that one picture is handed to a zygote, if zygotes die before they start its child.
    public static let startAttempts = 3
    /// Pictures that crashed their decoder and are remembered.
    public static let crashers = 1024

    // MARK: The cache

    /// Bytes of lines whose meaning is remembered, so that the same line is not parsed again.
    public static let knownLineBytes = 1 << 20

    /// Nanoseconds within which two changes of a file may get one timestamp: kernels before 6.13
    /// stamp by their clock tick, of 10 ms at most.
    public static let timestampNanoseconds: Int64 = 20_000_000
    /// The same where file systems stamp by whole seconds; FAT knows even ones only.
    public static let coarseTimestampNanoseconds: Int64 = 2_000_000_000
    /// Nanoseconds of which all stamps are multiples where a file's inode may be another at the
    /// next mount: FAT and file systems of FUSE stamp by hundredths of a second or coarser.
    public static let passingTimestampNanoseconds: Int64 = 10_000_000

    /// Bytes of summaries kept in memory, by default.
    public static let memoryCacheBytes = 32 << 20
    /// Bytes of summaries kept on disk, by default.
    public static let diskCacheBytes = 256 << 20

    // MARK: The cache's disk

    /// Seconds that the disk may take for its next answer before it counts as hung: what a large
    /// picture's decoding takes, and more than a busy machine keeps a thread waiting.
    public static let storePatienceSeconds = 0.2
    /// Seconds after which a store that another daemon has is tried again.
    public static let storeBusySeconds = 1.0
    /// Seconds after which a store that could not be used is tried again.
    public static let storeRetrySeconds = 30.0
    /// Seconds without a question after which the store's file is let go.
    public static let storeIdleSeconds = 5.0
    /// Seconds for which summaries are collected before they are written together.
    public static let storeDelaySeconds = 0.5
    /// Summaries that are written together, and after how many bytes no more are.
    public static let storeBatch = 64, storeBatchBytes = 256 << 10
    /// Bytes of summaries that wait to be written.
    public static let storeQueueBytes = 4 << 20
    /// Uses of stored summaries that are noted together.
    public static let storeUses = 1024
    /// Seconds for which somebody waits who wants to know about the store, or wants it empty.
    public static let storeReportSeconds = 2.0
    /// Seconds in which the last summaries must be written when the daemon ends.
    public static let storeFarewellSeconds = 1.0
}
