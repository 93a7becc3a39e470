import Glibc

/// What this process keeps in memory.
public enum ProcessMemory {
    /// Gives back the pages of program code; those that are needed again come back from the page
    /// cache, as they first came.
    ///
    /// A process that has started and now waits holds some 7 MiB of them, most never needed again.
    /// Nothing can be lost: code that nobody may write is equal to its file.
    public static func releaseCode() {
        guard let maps = readFile("/proc/self/maps") else { return }
        // Reading the list runs much of this program's own code, so that comes first and alone.
        let ranges = maps.split(separator: UInt8(ascii: "\n")).compactMap(codeRange)
        for range in ranges {
            let start = unsafe UnsafeMutableRawPointer(bitPattern: range.lowerBound)
            _ = unsafe madvise(start, range.count, MADV_DONTNEED)
        }
    }

    /// The addresses in a line of `/proc/self/maps` if they are a file's code that was mapped
    /// privately and can't be written.
    static func codeRange(_ line: some Collection<UInt8>) -> Range<UInt>? {
        // 7f12-7f34 r-xp 00001000 fe:00 131 /usr/lib/…
        let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
        guard fields.count == 6, fields[1].elementsEqual("r-xp".utf8),
            !fields[4].elementsEqual("0".utf8)
        else { return nil }
        let ends = fields[0].split(separator: UInt8(ascii: "-")).map {
            UInt(String(decoding: $0, as: UTF8.self), radix: 16)
        }
        guard ends.count == 2, let start = ends[0], let end = ends[1], start < end else {
            return nil
        }
        return start..<end
    }

    /// Everything in a file of `/proc`, whose size is not known before it is read.
    static func readFile(_ path: String) -> [UInt8]? {
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let file = Descriptor(owning: number)
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = unsafe read(file.number, &piece, piece.count)
            guard count > 0 else { return count == 0 ? text : nil }
            text += piece.prefix(count)
        }
    }
}
