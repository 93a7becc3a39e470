import CLinux
import GLibSupport
import Glibc
import UndertoneColor
import UndertoneProtocol

/// A picture's bytes, read from its descriptor from beginning to end, once.
///
/// Nothing is mapped: a mapped file that is cut short kills the reader.
struct PictureFile {
    private let descriptor: Int32
    /// The bytes in memory: the file's beginning, or its latest piece.
    private(set) var bytes: [UInt8] = []

    /// Prepares to read from a descriptor that the caller keeps open.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Reads on until so many bytes are in memory, or the file ends.
    mutating func fill(upTo wanted: Int) throws(RequestError) {
        guard wanted > bytes.count else { return }
        let known = bytes
        let descriptor = descriptor
        var failure: SystemError?
        bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
            _ = unsafe buffer.update(fromContentsOf: known)
            count = known.count
            unsafe clinux_populate(buffer.baseAddress, wanted)
            do throws(SystemError) {
                while count < wanted {
                    let received = try retrying("read") {
                        unsafe read(descriptor, buffer.baseAddress! + count, wanted - count)
                    }
                    if received == 0 { break }
                    count += received
                }
            } catch {
                failure = error
            }
        }
        if let failure {
            throw RequestError(.readFailed, "the file could not be read: \(failure)")
        }
    }

    /// Gives back the memory of bytes that were fed.
    mutating func discard() {
        bytes = []
    }

    /// Forgets the piece in memory and reads the next one; it is empty at the end of the file.
    mutating func advance(by length: Int) throws(RequestError) {
        bytes = []
        try fill(upTo: length)
    }
}

extension FileIdentity {
    /// The identity of the file behind a descriptor, by the one call that the sandbox admits.
    static func of(descriptor: Int32) throws(RequestError) -> FileIdentity {
        var raw = clinux_identity()
        do throws(SystemError) {
            _ = try checking("fstat") { unsafe clinux_fstat_identity(descriptor, &raw) }
        } catch {
            throw RequestError(.readFailed, "the file could not be identified: \(error)")
        }
        return FileIdentity(raw)
    }

    /// Takes what the kernel says of a file.
    init(_ raw: clinux_identity) {
        self.init(
            device: raw.device, inode: raw.inode, size: raw.size, modified: raw.modified,
            changed: raw.changed)
    }
}
