internal import GLibSupport
internal import Glibc
internal import UndertoneProtocol

/// Standard input, cut where a separator is.
struct InputPieces {
    private let separator: UInt8
    private var bytes: [UInt8] = []
    private var start = 0
    /// Whether the input has ended; pieces may be left to take.
    private(set) var isAtEnd = false

    init(separator: UInt8) {
        self.separator = separator
    }

    /// Takes the next piece, without its separator; empty ones are skipped. The last one may lack
    /// its separator.
    mutating func next() -> [UInt8]? {
        while let end = bytes[start...].firstIndex(of: separator) {
            let piece = bytes[start..<end]
            start = end + 1
            if !piece.isEmpty { return Array(piece) }
        }
        bytes.removeFirst(start)
        start = 0
        guard isAtEnd, !bytes.isEmpty else { return nil }
        defer { bytes = [] }
        return bytes
    }

    /// Reads once.
    mutating func fill() throws {
        if bytes.count - start > Limits.lineBytes {
            throw UsageError("a name on standard input is longer than any; is --null missing?")
        }
        let more = try InputPieces.read()
        if more.isEmpty { isAtEnd = true }
        bytes += more
    }

    /// Reads from standard input what is there, or nothing at its end.
    static func read() throws -> ArraySlice<UInt8> {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        do throws(SystemError) {
            let count = try retrying("read") {
                unsafe Glibc.read(STDIN_FILENO, &buffer, buffer.count)
            }
            return buffer[..<count]
        } catch {
            throw ClientError.system(SystemError(error.number, "standard input"))
        }
    }
}
