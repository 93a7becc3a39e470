import GLibSupport
import Glibc
import UndertoneColor
import UndertoneProtocol

/// A file that may be a picture's thumbnail, open for reading; none of its bytes was read yet.
struct Thumbnail {
    /// Where it is open, until the process ends.
    let descriptor: Int32
    /// The URI that it must name.
    let uri: [UInt8]
    /// Which file it is.
    let identity: FileIdentity

    /// Opens all that may be a picture's thumbnails: those of the path as it is named, unless it
    /// holds `..`, then those of where links lead.
    ///
    /// What is no regular file is left out, whatever links to it, as is what is too large.
    ///
    /// - Parameters:
    ///   - path: The picture's path.
    ///   - picture: Where the picture itself is open.
    static func openAll(
        of path: [UInt8], picture: Int32, in places: ThumbnailPlaces
    ) -> [Thumbnail] {
        var uris: [[UInt8]] = []
        // Behind a link `..` leads elsewhere than its text says.
        let leadsUp = path.split(separator: UInt8(ascii: "/")).contains(Array("..".utf8)[...])
        for path in [leadsUp ? nil : path, target(of: picture)].compactMap(\.self) {
            guard let uri = places.uri(of: path) else { return [] }
            if !uris.contains(uri) { uris.append(uri) }
        }
        return uris.flatMap { uri in
            places.paths(for: uri).compactMap { open($0, uri: uri) }
        }
    }

    private static func open(_ path: [UInt8], uri: [UInt8]) -> Thumbnail? {
        guard let file = try? OpenedPicture.open(path, waits: false),
            (1...Limits.thumbnailBytes).contains(Int(clamping: file.identity.size))
        else { return nil }
        let number = fcntl(
            file.descriptor.number, F_DUPFD_CLOEXEC, ChildDescriptors.firstThumbnail)
        guard number >= 0 else { return nil }
        return Thumbnail(descriptor: number, uri: uri, identity: file.identity)
    }

    /// The path of an open file without links; nil where `/proc` does not tell.
    private static func target(of descriptor: Int32) -> [UInt8]? {
        var path = [CChar](repeating: 0, count: Limits.pathBytes)
        let count = unsafe readlink("/proc/self/fd/\(descriptor)", &path, path.count)
        guard count > 0, count < path.count, path[0] == CChar(bitPattern: UInt8(ascii: "/"))
        else { return nil }
        return path.prefix(count).map(UInt8.init(bitPattern:))
    }

    /// The file's bytes; nil where they cannot be read.
    func bytes() -> [UInt8]? {
        var file = PictureFile(descriptor: descriptor)
        guard (try? file.fill(upTo: Int(identity.size))) != nil else { return nil }
        return file.bytes
    }

    /// Whether it says that it is of a picture as that is now (Thumbnail Managing Standard 0.9,
    /// "Detect modifications").
    ///
    /// The standard counts seconds. A thumbnail that was written in the second of the picture's
    /// last change, but before it, is of what the picture was.
    func isValid(for picture: FileIdentity, by keys: ThumbnailKeys) -> Bool {
        let second: Int64 = 1_000_000_000
        let seconds = picture.modified.floored(by: second)
        guard keys.uri == uri, keys.modifiedSeconds == Array("\(seconds)".utf8),
            keys.size == nil || keys.size == Array("\(picture.size)".utf8)
        else { return false }
        let isOlder = identity.modified < picture.modified
        return !(isOlder && identity.modified.floored(by: second) == seconds)
    }
}

extension Int64 {
    /// The quotient, rounded down also below 0.
    fileprivate func floored(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
