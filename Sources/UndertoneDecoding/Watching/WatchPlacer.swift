import CLinux
import GLibSupport
import Glibc
import UndertoneColor
import UndertoneProtocol

/// Places inotify watches along paths: on each directory in which a name of the path is looked up,
/// links' targets included, and on the file at its end.
///
/// A directory is watched before anything is looked up in it, so whatever changes afterwards is an
/// event, and whatever had changed before is seen. Only a child does this: any of its calls may
/// wait for a file system that has died.
struct WatchPlacer {
    /// The inotify instance, which the daemon made and reads.
    private let inotify: Int32
    /// What was placed, in the order of the walks.
    private(set) var places: [WatchPlace] = []
    private var known: Set<WatchPlace> = []

    /// Directories: a name appears, disappears, or its file's mode changes; or the same happens to
    /// the directory itself. What is written to its other files is nobody's business.
    private static let directoryMask =
        UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB)
        | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
    /// The file: writes, by whatever name of it; the closing for those who write through a mapping.
    private static let fileMask =
        UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
        | UInt32(IN_DONT_FOLLOW)

    init(inotify: Int32) {
        self.inotify = inotify
    }

    /// Places the watches of all paths; after a failure none stays.
    mutating func place(_ paths: [[UInt8]]) throws(RequestError) -> [FileIdentity?] {
        do throws(RequestError) {
            var files: [FileIdentity?] = []
            for path in paths { files.append(try place(path)) }
            return files
        } catch {
            for watch in Set(places.map(\.watch)) { inotify_rm_watch(inotify, watch) }
            throw error
        }
    }

    /// Walks along one path as far as it leads.
    ///
    /// - Returns: The regular file at its end, nil if there is none.
    private mutating func place(_ path: [UInt8]) throws(RequestError) -> FileIdentity? {
        var walk = PathWalk(path)
        while let step = walk.next() {
            switch step {
            case .root: guard enter("/") else { return nil }
            case .parent: guard enter("..") else { return nil }
            case .name(let name):
                try watchDirectory(for: name)
                guard let entry = Self.lookUp(name) else { return nil }
                switch entry.identity.mode & S_IFMT {
                case S_IFLNK:
                    guard let target = Self.target(of: entry.descriptor.number),
                        walk.follow(target)
                    else { return nil }
                case S_IFDIR:
                    guard fchdir(entry.descriptor.number) == 0 else { return nil }
                case S_IFREG where walk.isAtEnd:
                    return try watchFile(name)
                default:
                    return nil
                }
            }
        }
        return nil
    }

    /// Makes a directory the one where names are looked up.
    private func enter(_ directory: String) -> Bool {
        let number = unsafe open(directory, CLINUX_O_PATH | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { return false }
        let place = Descriptor(owning: number)
        return fchdir(place.number) == 0
    }

    /// Watches the present directory for the sake of a name in it.
    private mutating func watchDirectory(for name: [UInt8]) throws(RequestError) {
        // No file system has a longer name, so it will never be there.
        guard name.count <= Int(UInt8.max) else { return }
        if let system = try Self.eventlessFileSystem() {
            throw RequestError(
                .watchUnsupported, "files can change unnoticed on this file system (\(system))")
        }
        let watch = unsafe inotify_add_watch(inotify, ".", Self.directoryMask)
        guard watch >= 0 else { throw Self.refusal(errno) }
        try note(WatchPlace(watch: watch, name: name))
    }

    /// Watches a file in the present directory, unless it has just gone or is not ours to read: its
    /// directory tells when that changes.
    private mutating func watchFile(_ name: [UInt8]) throws(RequestError) -> FileIdentity? {
        let watch = unsafe inotify_add_watch(inotify, Self.characters(name), Self.fileMask)
        if watch >= 0 {
            try note(WatchPlace(watch: watch, name: []))
        } else if errno == ENOSPC || errno == ENOMEM {
            throw Self.refusal(errno)
        }
        // Only now, when no later change can be missed; it may be another file than a moment ago.
        guard let file = Self.lookUp(name)?.identity, file.mode & S_IFMT == S_IFREG else {
            return nil
        }
        return FileIdentity(
            device: file.device, inode: file.inode, size: file.size, modified: file.modified,
            changed: file.changed)
    }

    private mutating func note(_ place: WatchPlace) throws(RequestError) {
        guard known.insert(place).inserted else { return }
        places.append(place)
        guard places.count <= Limits.watchPlaces else {
            throw RequestError(
                .watchUnsupported,
                "the path leads through more than \(Limits.watchPlaces) directories")
        }
    }

    /// What is known by a name in the present directory, without opening it.
    private struct Entry: ~Copyable {
        var descriptor: Descriptor
        var identity: clinux_identity
    }

    private static func lookUp(_ name: [UInt8]) -> Entry? {
        let flags = CLINUX_O_PATH | O_NOFOLLOW | O_CLOEXEC
        let number = unsafe open(characters(name), flags)
        guard number >= 0 else { return nil }
        let descriptor = Descriptor(owning: number)
        var identity = clinux_identity()
        guard unsafe clinux_fstat_identity(number, &identity) == 0 else { return nil }
        return Entry(descriptor: descriptor, identity: identity)
    }

    private static func target(of link: Int32) -> [UInt8]? {
        var buffer = [CChar](repeating: 0, count: Limits.pathBytes)
        let count = unsafe readlinkat(link, "", &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return buffer.prefix(count).map { UInt8(bitPattern: $0) }
    }

    /// The name of the present directory's file system if changes there make no events.
    private static func eventlessFileSystem() throws(RequestError) -> String? {
        let number = unsafe open(".", CLINUX_O_PATH | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw refusal(errno) }
        let place = Descriptor(owning: number)
        var type: UInt64 = 0
        let result = unsafe clinux_file_system(place.number, &type)
        guard result == 0 else { throw refusal(-result) }
        return EventlessFileSystem.names[type]
    }

    /// What it means that a directory cannot be watched.
    private static func refusal(_ number: Int32) -> RequestError {
        switch number {
        case ENOSPC:
            RequestError(
                .busy, "all of the user's inotify watches are in use (fs.inotify.max_user_watches)")
        case ENOMEM: RequestError(.busy, "the machine has no room for another watch")
        default:
            RequestError(
                .watchUnsupported,
                SystemError(number, "watching a directory of the path").description)
        }
    }

    private static func characters(_ name: [UInt8]) -> [CChar] {
        name.map(CChar.init(bitPattern:)) + [0]
    }
}
