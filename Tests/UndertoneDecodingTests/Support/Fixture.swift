import Glibc
import Testing

/// The pictures that `Fixtures/generate.py` made.
enum Fixture {
    /// The width and height of `ramp`: red grows from left to right, green from top to bottom, and
    /// blue is 64.
    static let rampSize = (width: 128, height: 96)

    /// The bytes of a picture.
    static func bytes(_ name: String, file: StaticString = #filePath) throws -> [UInt8] {
        var path = Array(file.description.utf8)
        for _ in 0..<2 { path = Array(path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]) }
        path += Array("/Fixtures/\(name)".utf8) + [0]
        let descriptor = unsafe path.map { CChar(bitPattern: $0) }
            .withUnsafeBufferPointer { unsafe open($0.baseAddress!, O_RDONLY | O_CLOEXEC) }
        try #require(descriptor >= 0, "\(name)")
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(descriptor, &piece, piece.count)
            try #require(count >= 0)
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
    }

    /// The mean of green over the first rows of `ramp`, or over its last ones.
    static func green(firstRows rows: Int) -> Double {
        let sum = (0..<rows).reduce(0) { $0 + $1 * 255 / (rampSize.height - 1) }
        return Double(sum) / Double(rows)
    }
}
