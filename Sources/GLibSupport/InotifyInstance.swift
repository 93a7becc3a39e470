import Glibc

/// An inotify instance that this process reads, whoever places watches in it.
public enum InotifyInstance {
    /// Makes an instance without watches, non-blocking and close-on-exec.
    public static func create() throws(SystemError) -> SharedDescriptor {
        let flags = Int32(IN_NONBLOCK | IN_CLOEXEC)
        return SharedDescriptor(
            Descriptor(owning: try retrying("inotify_init1") { inotify_init1(flags) }))
    }

    /// The watches that are placed in an instance, in whichever process; nil without a `/proc`.
    public static func watches(in instance: Int32) -> [Int32]? {
        ProcessMemory.readFile("/proc/self/fdinfo/\(instance)").map(watches(listedIn:))
    }

    /// The watches in the text of `/proc/PID/fdinfo/N`.
    static func watches(listedIn text: [UInt8]) -> [Int32] {
        // inotify wd:1a ino:2 sdev:fd00000 mask:100 …
        let prefix = Array("inotify wd:".utf8)
        return text.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard line.starts(with: prefix) else { return nil }
            let digits = line.dropFirst(prefix.count).prefix { $0 != UInt8(ascii: " ") }
            return Int32(String(decoding: digits, as: UTF8.self), radix: 16)
        }
    }

    /// Takes every watch out of an instance, so that closing it does not wait: the kernel takes
    /// some 20 ms to close one that has had watches a moment ago, and 20 µs later on.
    ///
    /// - Returns: Whether there was none; false where that cannot be told.
    @discardableResult
    public static func clear(_ instance: Int32) -> Bool {
        guard let watches = watches(in: instance) else { return false }
        for watch in watches { inotify_rm_watch(instance, watch) }
        return watches.isEmpty
    }
}
