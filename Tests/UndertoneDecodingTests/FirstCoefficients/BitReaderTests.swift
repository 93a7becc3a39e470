import Testing

@testable import UndertoneDecoding

@Suite("Bits are read as they are written, wherever a reader is filled")
struct BitReaderTests {
    /// Bytes of which some are 0xFF, and what they are in a scan's data.
    private func data(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { $0 == 0xFF ? [0xFF, 0] : [$0] }
    }

    /// A number that looks random, the same for the same place each time.
    private func number(_ place: Int, below limit: Int) -> Int {
        let mixed = UInt64(place + 1) &* 0x9E37_79B9_7F4A_7C15
        return Int((mixed ^ mixed >> 29) >> 33) % limit
    }

    @Test("By any number of bits, filled once and twice", arguments: [2, 16, 256])
    func numbers(values: Int) throws {
        let bytes = (0..<2000).map { UInt8(255 - number($0, below: values)) }
        let expected = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        let data = data(bytes)
        var reader = BitReader(0..<data.count)
        var place = 0
        while place < expected.count {
            for _ in 0...number(place, below: 2) {
                reader.fill(data.span)
                #expect(reader.count >= min(BitReader.readyBits, expected.count - place))
                #expect(reader.count < 64)
            }
            let length = min(1 + number(place, below: 31), expected.count - place)
            let bits = expected[place..<place + length].reduce(0) { $0 << 1 | Int($1) }
            try #require(reader.beginning(length) == bits, "bits \(place) to \(place + length)")
            reader.drop(length)
            place += length
        }
        reader.fill(data.span)
        #expect(reader.isAtEnd)
        #expect(reader.beginning(16) == 0)
    }

    @Test("Nothing is read beyond a marker or the end", arguments: [0, 1, 7, 8, 9, 20])
    func ends(length: Int) {
        let bytes = [UInt8](repeating: 0xA5, count: length)
        for rest in [[], [0xFF], [0xFF, 0xD0] + bytes] as [[UInt8]] {
            let all = bytes + rest
            var reader = BitReader(0..<all.count)
            for byte in bytes {
                reader.fill(all.span)
                #expect(reader.beginning(8) == Int(byte))
                reader.drop(8)
            }
            reader.fill(all.span)
            #expect(reader.count == 0)
            #expect(reader.beginning(8) == 0)
            #expect(reader.isAtEnd == rest.isEmpty)
            // What is taken all the same shows, and for good.
            reader.drop(1)
            reader.fill(all.span)
            #expect(reader.count == -1)
        }
    }
}
