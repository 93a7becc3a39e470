/// A right that Landlock can take away, with the kernel ABI that first could.
///
/// The numbers are the kernel's (`linux/landlock.h`); Debian 12's header ends with ABI 2.
struct LandlockRight: Equatable, Sendable {
    enum Kind: Sendable { case files, network, scope }

    var name: String
    var kind: Kind
    var bit: UInt64
    var abi: Int32

    private init(_ name: String, _ kind: Kind, bit: UInt64, since abi: Int32) {
        self.name = name
        self.kind = kind
        self.bit = 1 << bit
        self.abi = abi
    }

    /// Every right up to ABI 7, which is the newest that adds any.
    static let all = [
        LandlockRight("execute", .files, bit: 0, since: 1),
        LandlockRight("write_file", .files, bit: 1, since: 1),
        readFile,
        readDirectory,
        LandlockRight("remove_dir", .files, bit: 4, since: 1),
        LandlockRight("remove_file", .files, bit: 5, since: 1),
        LandlockRight("make_char", .files, bit: 6, since: 1),
        LandlockRight("make_dir", .files, bit: 7, since: 1),
        LandlockRight("make_reg", .files, bit: 8, since: 1),
        LandlockRight("make_sock", .files, bit: 9, since: 1),
        LandlockRight("make_fifo", .files, bit: 10, since: 1),
        LandlockRight("make_block", .files, bit: 11, since: 1),
        LandlockRight("make_sym", .files, bit: 12, since: 1),
        LandlockRight("refer", .files, bit: 13, since: 2),
        LandlockRight("truncate", .files, bit: 14, since: 3),
        LandlockRight("ioctl_dev", .files, bit: 15, since: 5),
        LandlockRight("bind_tcp", .network, bit: 0, since: 4),
        LandlockRight("connect_tcp", .network, bit: 1, since: 4),
        LandlockRight("abstract_unix_socket", .scope, bit: 0, since: 6),
        LandlockRight("signal", .scope, bit: 1, since: 6),
    ]

    static let readFile = LandlockRight("read_file", .files, bit: 2, since: 1)
    static let readDirectory = LandlockRight("read_dir", .files, bit: 3, since: 1)

    /// The bits of one kind that a kernel of an ABI knows.
    static func mask(of kind: Kind, abi: Int32) -> UInt64 {
        all.filter { $0.kind == kind && $0.abi <= abi }.reduce(0) { $0 | $1.bit }
    }
}
