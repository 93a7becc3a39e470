/// The descriptors of every child, whose numbers the system-call tables name.
///
/// 0, 1 and 2 are `/dev/null`, for whatever a library writes to standard error.
enum ChildDescriptors {
    /// The report pipe's writing end. In the zygote: the socket to the daemon.
    static let report: Int32 = 3
    /// The picture, or the inotify instance of a watch. In the zygote: `/dev/null`.
    static let picture: Int32 = 4
    /// The Landlock ruleset, from the fork until it is entered; closed before the first byte is
    /// read.
    static let ruleset: Int32 = 5
    /// The first of the files that may be the picture's thumbnails, open from before the lock-down
    /// on; all of them have this bit in their numbers: eight is how many there can be.
    static let firstThumbnail: Int32 = 8
    /// How many a child of the raster profile can have, besides thumbnails.
    static let count: Int32 = 5
    /// How many a child that places watches can have: two more, for the place that it looks at and
    /// a second look.
    static let watchCount: Int32 = 7
}
