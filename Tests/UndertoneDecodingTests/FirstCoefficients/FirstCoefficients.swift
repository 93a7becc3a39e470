@testable import UndertoneDecoding

/// A gray progressive JPEG of one scan of first coefficients and one of the others, by hand.
struct FirstCoefficients {
    var precision: UInt8 = 8
    var width = 8
    var height = 8
    /// Each component's identifier, sampling factors and quantization table.
    var components: [[UInt8]] = [[1, 0x11, 0]]
    /// How many codes there are of each length, or one of each.
    var counts: [UInt8]?
    /// What the codes 0, 10, 110, ... stand for.
    var categories: [UInt8] = [0]
    var restartInterval: UInt8 = 0
    /// What stands between the headers and the first scan.
    var segments: [UInt8] = []
    /// The identifiers of the first scan's components.
    var scanned: [UInt8] = [1]
    /// The last byte of the first scan's header.
    var bits: UInt8 = 0
    /// The first scan's data.
    var data: [UInt8] = [0x7F]
    /// What stands behind the first scan.
    var following: [UInt8] = []

    /// The whole file.
    var bytes: [UInt8] {
        let counts = counts ?? [UInt8](repeating: 1, count: categories.count)
        let padded = counts + [UInt8](repeating: 0, count: 16 - counts.count)
        let size = [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)]
        return [0xFF, 0xD8]
            + Self.segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
            + Self.segment(
                0xC2, [precision] + size + [UInt8(components.count)] + components.flatMap { $0 })
            + Self.segment(0xC4, [0] + padded + categories)
            + Self.segment(0xDD, [0, restartInterval]) + segments
            + Self.scan(scanned, bits: bits) + data + following + [0xFF, 0xD9]
    }

    /// What is written of it.
    func written() -> [UInt8]? { Self.written(bytes) }

    /// What is written of a file.
    static func written(_ bytes: [UInt8]) -> [UInt8]? {
        let outline = JPEGScanner.outline(bytes.span, fileLength: bytes.count)
        guard let scans = outline.scans else { return nil }
        return FirstCoefficientJPEG.make(bytes.span, scans.onlyFirstCoefficients().pieces)
    }

    static func scan(_ ids: [UInt8], bits: UInt8) -> [UInt8] {
        segment(0xDA, [UInt8(ids.count)] + ids.flatMap { [$0, 0] } + [0, 0, bits])
    }

    static func segment(_ code: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return [0xFF, code, UInt8(length >> 8), UInt8(length & 255)] + content
    }
}
