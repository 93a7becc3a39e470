import Testing
import UndertoneColor

@testable import UndertoneDecoding

@Suite("Of a JPEG in one scan, the coefficients that an eighth of it does not need are left out")
struct SequentialScanFilterTests {
    /// What is written of a whole file.
    private func written(_ bytes: [UInt8]) -> [UInt8]? {
        let outline = JPEGScanner.outline(bytes.span, fileLength: bytes.count)
        guard let scan = outline.scans?.scans.last else { return nil }
        return SequentialScanFilter.make(bytes.span, end: scan.range.upperBound)
    }

    private func transcoded(_ bytes: [UInt8]) -> [UInt8]? { SequentialJPEG.make(bytes.span) }

    /// The rows of pixels at an eighth of the size.
    private func rows(_ bytes: [UInt8]) throws -> [[UInt8]] {
        let loader = try PixbufLoader(module: "jpeg") { size in
            .scale(PixelSize(width: (size.width + 7) / 8, height: (size.height + 7) / 8))
        }
        try loader.write(bytes.span)
        try loader.close()
        let pixbuf = try #require(loader.pixbuf())
        return (0..<pixbuf.size.height).map { unsafe Array(pixbuf.row($0)) }
    }

    @Test(
        "Every pixel at an eighth, whatever the sampling",
        arguments: FirstCoefficientJPEGTests.names.map { "first-\($0)" } + [
            "quarter", "restart", "baseline", "gray", "cmyk", "progressive", "eighth-progressive",
        ])
    func pixels(name: String) throws {
        let file = try Fixture.bytes("\(name).jpg")
        // With all coefficients, in one scan.
        let sequential = try #require(transcoded(file))
        let written = try #require(self.written(sequential))
        #expect(written.count <= sequential.count)
        #expect(try rows(written) == rows(sequential))
        #expect(self.written(written) == written)
    }

    @Test("Restart markers are passed on", arguments: ["restart", "baseline", "gray", "cmyk"])
    func asItIs(name: String) throws {
        let file = try Fixture.bytes("\(name).jpg")
        let written = try #require(self.written(file))
        #expect(written.count <= file.count)
        #expect(try rows(written) == rows(file))
        func markers(_ bytes: [UInt8]) -> [UInt8] {
            zip(bytes, bytes.dropFirst()).filter { $0 == 0xFF && 0xD0...0xD7 ~= $1 }.map(\.1)
        }
        #expect(markers(written) == markers(file))
        #expect(markers(file).isEmpty == (name != "restart"))
    }

    @Test("Of what an eighth needs more than one pixel a block, every bit stays")
    func larger() throws {
        // Of halved colors libjpeg makes four pixels a block then, from many coefficients.
        let file = try #require(transcoded(Fixture.bytes("first-fine.jpg")))
        let written = try #require(self.written(file))
        let first = try #require(FirstCoefficients.written(Fixture.bytes("first-fine.jpg")))
        #expect(try rows(written) != rows(first))
        #expect(written.count > first.count)
    }

    @Test("Blocks that end with their last coefficient, long codes and runs of zeros")
    func codes() throws {
        func sample(_ blocks: [[Int]]) -> [UInt8] {
            var file = SequentialPicture(width: 8 * blocks.count)
            for block in blocks { file.append(block) }
            return file.bytes
        }
        let full = [0] + [Int](repeating: 1, count: 63)
        var zeros = [Int](repeating: 0, count: 64)
        zeros[63] = -1
        var long = [Int](repeating: 0, count: 64)
        long[15] = 32_000
        long[30] = -17_000
        long[63] = 1
        for blocks in [
            [full, full], [zeros, full, [5]], [long, [-3], long, zeros], [[7], full],
        ] {
            let bytes = sample(blocks)
            let written = try #require(self.written(bytes))
            #expect(written == sample(blocks.map { [$0[0]] }))
            #expect(try rows(written) == rows(bytes))
            // A byte too few, and one too many.
            #expect(self.written(bytes.dropLast(3) + [0xFF, 0xD9]) == nil)
            #expect(self.written(bytes.dropLast(2) + [0x3F, 0xFF, 0xD9]) == nil)
        }
    }

    @Test("What is unusual is left to the loader")
    func unusual() throws {
        #expect(written(try Fixture.bytes("arithmetic.jpg")) == nil)
        #expect(written(try Fixture.bytes("sequential-scans.jpg")) == nil)
        #expect(written(try Fixture.bytes("progressive.jpg")) == nil)
        var file = SequentialPicture(width: 16)
        file.append([3])
        file.append([4])
        #expect(written(file.bytes) != nil)
        // A third block with a code that there is not, of the first coefficient and of others.
        for codes in [[(0xF, 4)], [(0, 4), (0xFFFF, 16)]] {
            var wrong = SequentialPicture(width: 24)
            wrong.append([3])
            wrong.append([4])
            for (code, length) in codes { wrong.append(code: code, length: length) }
            #expect(written(wrong.bytes) == nil)
        }
        // A scan of some of the coefficients, and a shift.
        for (last, bits): (UInt8, UInt8) in [(62, 0), (63, 1), (63, 0x10)] {
            var wrong = file
            wrong.lastCoefficient = last
            wrong.bits = bits
            #expect(written(wrong.bytes) == nil)
        }
        // No table of other coefficients, and one of another number.
        for table in [nil, [0x11]] as [[UInt8]?] {
            var wrong = file
            wrong.tableStart = table
            #expect(written(wrong.bytes) == nil)
        }
        // Codes of ones alone, and none for the end of a block.
        for (counts, symbols) in [([2], [0, 1]), ([0, 4], [0, 1, 2, 3]), ([1], [1])]
            as [([UInt8], [UInt8])]
        {
            let definition = HuffmanDefinition(
                isOfOthers: true, number: 0,
                counts: counts + [UInt8](repeating: 0, count: 16 - counts.count),
                symbols: symbols)
            #expect(CoefficientCodes(definition)?.endOfBlock == nil)
        }
        // A first coefficient's difference of more bits than there are.
        let table = try #require(file.bytes.firstRange(of: [UInt8](0...14)))
        var large = file.bytes
        large[table.lowerBound + 5] = 16
        #expect(written(large) == nil)
        // No start of an image, another component than the frame's, and a height that comes later.
        let bytes = file.bytes
        #expect(written(Array(bytes.dropFirst(2))) == nil)
        let scan = try #require(bytes.firstRange(of: [0xFF, 0xDA]))
        var other = bytes
        other[scan.upperBound + 3] = 2
        #expect(written(other) == nil)
        let frame = try #require(bytes.firstRange(of: [0xFF, 0xC1]))
        var flat = bytes
        flat[frame.upperBound + 4] = 0
        #expect(written(flat) == nil)
    }

    @Test("Restart markers of another number are left to the loader")
    func restarts() throws {
        let file = try Fixture.bytes("restart.jpg")
        let first = try #require(file.firstRange(of: [0xFF, 0xD0]))
        for code: UInt8 in [0xD1, 0xD7] {
            var wrong = file
            wrong[first.upperBound - 1] = code
            #expect(written(wrong) == nil)
        }
        #expect(written(Array(file[..<first.lowerBound] + file[first.upperBound...])) == nil)
    }

    @Test("Where it is cut, it is left to the loader", arguments: ["restart", "baseline", "cmyk"])
    func cut(name: String) throws {
        let bytes = try Fixture.bytes("\(name).jpg")
        let outline = JPEGScanner.outline(bytes.span, fileLength: bytes.count)
        let scan = try #require(outline.scans?.scans.first).range
        for length in [scan.count / 2, scan.count - 1] {
            let cut = Array(bytes[..<(scan.lowerBound + length)]) + [0xFF, 0xD9]
            #expect(written(cut) == nil)
        }
    }
}

/// A gray JPEG in one scan, by hand.
private struct SequentialPicture {
    var width: Int
    var lastCoefficient: UInt8 = 63
    var bits: UInt8 = 0
    /// How the table of other coefficients begins, if there is one: its number, and perhaps a
    /// count of codes of one bit.
    var tableStart: [UInt8]? = [0x10]
    private var prediction = 0
    private var data: [Bool] = []

    init(width: Int) { self.width = width }

    mutating func append(code: Int, length: Int) {
        for bit in (0..<length).reversed() { data.append(code >> bit & 1 == 1) }
    }

    private mutating func append(value: Int, size: Int) {
        append(code: value < 0 ? value + (1 << size) - 1 : value, length: size)
    }

    /// Adds a block: some coefficients, and zeros behind them.
    mutating func append(_ block: [Int]) {
        let difference = block[0] - prediction
        prediction = block[0]
        let size = Int.bitWidth - difference.magnitude.leadingZeroBitCount
        // Categories 0 to 14, in four bits.
        append(code: size, length: 4)
        append(value: difference, size: size)
        var zeros = 0
        for value in block.dropFirst() {
            if value == 0 {
                zeros += 1
                continue
            }
            while zeros > 15 {
                append(code: 0b10, length: 2)
                zeros -= 16
            }
            if abs(value) == 1, zeros == 0 {
                append(code: 0b110, length: 3)
                append(value: value, size: 1)
            } else if abs(value) == 1, zeros == 14 {
                append(code: 0b1110, length: 4)
                append(value: value, size: 1)
            } else {
                precondition(zeros == 14)
                append(code: 0xF000, length: 16)
                append(value: value, size: 15)
            }
            zeros = 0
        }
        if zeros > 0 || block.count < 64 { append(code: 0, length: 1) }
    }

    /// The whole file.
    var bytes: [UInt8] {
        let size: [UInt8] = [0, 8, UInt8(width >> 8), UInt8(width & 255)]
        let none = [UInt8](repeating: 0, count: 12)
        var table: [UInt8] = []
        if let tableStart {
            let counts = [1, 1, 1, 1] + none.dropLast() + [1]
            table = FirstCoefficients.segment(
                0xC4,
                tableStart + counts.dropFirst(tableStart.count - 1)
                    + [0x00, 0xF0, 0x01, 0xE1, 0xEF])
        }
        return [0xFF, 0xD8]
            + FirstCoefficients.segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
            + FirstCoefficients.segment(0xC1, [8] + size + [1, 1, 0x11, 0])
            + FirstCoefficients.segment(0xC4, [0, 0, 0, 0, 15, 0] + none.dropLast() + (0...14))
            + table
            + FirstCoefficients.segment(0xDA, [1, 1, 0, 0, lastCoefficient, bits])
            + packed + [0xFF, 0xD9]
    }

    /// The data in bytes, filled up with ones.
    private var packed: [UInt8] {
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: data.count, by: 8) {
            var byte: UInt8 = 0
            for index in start..<start + 8 {
                byte = byte << 1 | (index < data.count ? (data[index] ? 1 : 0) : 1)
            }
            bytes.append(byte)
            if byte == 0xFF { bytes.append(0) }
        }
        return bytes
    }
}
