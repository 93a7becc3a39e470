import GLibSupport
import Glibc

/// The directory of the store, which nobody but its user may enter, and the files in it.
struct StoreFolder: Sendable {
    /// The directory's absolute path.
    let path: [UInt8]
    /// The database's path.
    var file: [UInt8] { path + Array("/summaries.sqlite".utf8) }
    /// The database, and what SQLite puts beside it.
    var files: [[UInt8]] {
        ["", "-wal", "-shm", "-journal"].map { file + Array($0.utf8) }
    }

    /// Names a directory.
    init(path: [UInt8]) {
        self.path = path
    }

    /// The place that the XDG base directory specification gives: `undertone` in
    /// `XDG_CACHE_HOME`, which is ignored if it is relative, or else in `.cache` in the home.
    ///
    /// - Returns: nil where there is no home either.
    init?(cacheHome: [UInt8]?, home: [UInt8]?) {
        let slash = UInt8(ascii: "/")
        if let cacheHome, cacheHome.first == slash {
            path = cacheHome + Array("/undertone".utf8)
        } else if let home, home.first == slash {
            path = home + Array("/.cache/undertone".utf8)
        } else {
            return nil
        }
    }

    /// Makes the directory and an empty file unless they are there, and holds other daemons off as
    /// long as `body` runs.
    ///
    /// What is in the file's place and is the user's own, but no file or one with other names, is
    /// deleted; whatever is somebody else's is left alone.
    ///
    /// - Parameter isNew: Whether the files that are there are deleted first.
    func prepare<Result>(
        isNew: Bool = false, _ body: () throws(StoreFault) -> Result
    ) throws(StoreFault) -> Result {
        makeDirectories()
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let directory = Descriptor(
            owning: try unusable("open") { unsafe open(path.cString, flags) })
        var status = stat()
        _ = try unusable("fstat") { unsafe fstat(directory.number, &status) }
        guard status.st_uid == geteuid() else {
            throw StoreFault(kind: .unusable, message: "its directory is another user's")
        }
        if status.st_mode & 0o077 != 0 {
            _ = try unusable("fchmod") { fchmod(directory.number, 0o700) }
        }
        // Two that make a damaged file anew would delete each other's. Where it cannot be had, as
        // on some network's disks, nothing worse than that can happen.
        _ = flock(directory.number, LOCK_EX)
        try makeFile(isNew: isNew)
        return try body()
    }

    /// The bytes that the files take.
    var bytes: Int {
        files.reduce(0) { sum, name in
            var status = stat()
            return unsafe lstat(name.cString, &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }

    private func makeDirectories() {
        for (index, byte) in path.enumerated() where byte == UInt8(ascii: "/") && index > 0 {
            unsafe mkdir(path.prefix(index).cString, 0o700)
        }
        unsafe mkdir(path.cString, 0o700)
    }

    private func makeFile(isNew: Bool) throws(StoreFault) {
        var status = stat()
        if unsafe lstat(file.cString, &status) == 0 {
            guard status.st_uid == geteuid() else {
                throw StoreFault(kind: .unusable, message: "its file is another user's")
            }
            if !isNew, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 {
                if status.st_mode & 0o777 != 0o600 { unsafe chmod(file.cString, 0o600) }
                return
            }
            _ = try unusable("unlink") { unsafe unlink(file.cString) }
        }
        // A log without its file is another file's.
        for name in files { unsafe unlink(name.cString) }
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let number = try unusable("open") { unsafe open(file.cString, flags, 0o600) }
        close(number)
    }

    private func unusable(
        _ call: String, _ body: () -> Int32
    ) throws(StoreFault) -> Int32 {
        do throws(SystemError) {
            return try retrying(call, body)
        } catch {
            let kind: StoreFault.Kind =
                [ENOSPC, EDQUOT].contains(error.number) ? .full : .unusable
            throw StoreFault(kind: kind, message: "\(error)")
        }
    }
}
