internal import Glibc

/// What a client has sent, cut into lines.
///
/// It does no I/O and never holds more than a line's limit and what was appended last: append what
/// one read brought, take lines until there are none, then read again.
public struct LineBuffer: Sendable {
    /// A line that came whole, or one that never will.
    public enum Line: Equatable, Sendable {
        /// A line without its end and the blanks around it; it is not empty.
        case text([UInt8])
        /// A line above the limit. It is told once, and skipped to its end.
        case tooLong
    }

    private let limit: Int
    private var bytes: [UInt8] = []
    /// Where the next line begins.
    private var start = 0
    /// Up to where no newline was found, so that no byte is searched twice.
    private var searched = 0
    private var isSkipping = false

    /// Creates an empty buffer for lines of at most `limit` bytes, blanks included, without their
    /// ends (`\n` or `\r\n`).
    public init(limit: Int = Limits.lineBytes) {
        self.limit = limit
    }

    /// The bytes that wait for the rest of their line, or to be taken.
    public var pendingCount: Int { bytes.count - start }

    /// Adds what was read.
    public mutating func append(_ more: UnsafeRawBufferPointer) {
        // Moving what is left costs no more than adding what was taken did.
        if start > 0, start >= bytes.count - start {
            bytes.removeSubrange(..<start)
            searched -= start
            start = 0
        }
        unsafe bytes.append(contentsOf: more)
    }

    /// Adds what was read.
    public mutating func append(_ more: [UInt8]) {
        unsafe more.withUnsafeBytes { unsafe append($0) }
    }

    /// Takes the next line that is not blank, or returns nil until more is appended.
    public mutating func next() -> Line? {
        while let end = newline(from: searched) {
            let line = bytes[start..<end]
            start = end + 1
            searched = start
            if isSkipping {
                isSkipping = false
            } else if let line = checked(line) {
                return line
            }
        }
        searched = bytes.count
        // One byte more may be the carriage return of a line that just fits.
        if isSkipping || pendingCount > limit + 1 {
            bytes.removeAll(keepingCapacity: true)
            start = 0
            searched = 0
            if isSkipping { return nil }
            isSkipping = true
            return .tooLong
        }
        return nil
    }

    /// Takes what is left at the end of the input, where the last line may lack its newline.
    ///
    /// Call it when `next` has returned nil and no more will be appended.
    public mutating func finish() -> Line? {
        defer {
            bytes = []
            start = 0
            searched = 0
            isSkipping = false
        }
        return isSkipping ? nil : checked(bytes[start...])
    }

    private func newline(from index: Int) -> Int? {
        unsafe bytes.withUnsafeBytes { bytes in
            // An empty buffer may have no address.
            guard let base = bytes.baseAddress, index < bytes.count else { return nil }
            let found = unsafe memchr(base + index, Int32(UInt8(ascii: "\n")), bytes.count - index)
            return unsafe found.map { unsafe UnsafeRawPointer($0) - base }
        }
    }

    /// Returns a line that is neither blank nor too long without its blanks.
    private func checked(_ line: ArraySlice<UInt8>) -> Line? {
        let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        if line.count > limit { return .tooLong }
        guard let first = line.firstIndex(where: { !isBlank($0) }),
            let last = line.lastIndex(where: { !isBlank($0) })
        else { return nil }
        return .text(Array(line[first...last]))
    }

    private func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }
}
