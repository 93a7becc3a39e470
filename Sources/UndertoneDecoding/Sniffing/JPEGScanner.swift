/// Walks a JPEG's markers from its beginning to its end (ITU-T T.81, annex B).
///
/// Entropy-coded data is only searched for the next marker.
struct JPEGScanner {
    private(set) var scans = JPEGScans()
    private(set) var size: PixelSize?
    /// Where the EOI marker stands.
    private(set) var end: Int?
    /// The orientation by the first EXIF segment that states one.
    private(set) var orientation: Int?
    /// The standard deviation of what the first quantization table adds to each pixel.
    private(set) var noise: Double?

    /// The size by the frame header and the end by EOI after at least one scan.
    static func outline(_ bytes: Span<UInt8>, fileLength: Int) -> PictureOutline {
        var scanner = JPEGScanner()
        scanner.walk(bytes)
        var outline = PictureOutline(size: scanner.size, length: fileLength)
        outline.orientation = scanner.orientation
        outline.end = scanner.end != nil && !scanner.scans.scans.isEmpty ? .seen : .missing
        outline.scans = scanner.scans
        if scanner.end == nil, bytes.count < fileLength {
            // Of a file that is read in pieces the rest is still to come.
            outline.end = .unknown
            outline.scans?.areOpen = true
            return outline
        }
        if let noise = scanner.noise, let pixels = scanner.size?.pixels, pixels > 0 {
            let coded = scanner.scans.scans.reduce(0) { $0 + $1.range.count }
            outline.coding = RingingEstimate.Coding(
                noise: noise, bitsPerPixel: Double(8 * coded) / Double(pixels))
        }
        outline.isDetailed = scanner.scans.isDetailed
        if let last = scanner.scans.scans.last {
            // An arithmetic decoder cannot wait for the end marker: it must come in one write.
            let end = scanner.scans.isArithmetic ? scanner.end.map { $0 + 2 } : nil
            outline.pieces = [.file(0..<(end ?? last.range.upperBound))]
        }
        return outline
    }

    private mutating func walk(_ bytes: Span<UInt8>) {
        var offset = 2
        while let marker = Self.nextMarker(bytes, from: offset) {
            switch marker.code {
            case 0xD9:
                end = marker.start
                return
            case 0xD8, 0x01:  // SOI and TEM stand alone
                offset = marker.end
            case 0xDA:
                guard let scan = readScan(bytes, at: marker) else { return }
                scans.append(scan)
                offset = scan.range.upperBound
            default:
                guard let length = bytes.bigEndian(at: marker.end, bytes: 2), length >= 2 else {
                    return
                }
                let content = marker.end + 2..<min(marker.end + length, bytes.count)
                if Self.isFrame(marker.code), size == nil {
                    readFrame(bytes, at: marker.end, code: marker.code)
                } else if marker.code == 0xE1, orientation == nil,
                    bytes.holds("Exif\0\0", at: content.lowerBound)
                {
                    orientation = EXIFOrientation.read(bytes.extracting(content))
                } else if marker.code == 0xDB, noise == nil {
                    noise = Self.noise(bytes, content)
                }
                offset = marker.end + length
            }
        }
    }

    /// The noise of a table of 64 steps, of one byte or, where the first half of its first byte
    /// says so, of two. A rounded coefficient is off by the step's twelfth part, squared, on
    /// average, and a pixel by the mean of all but the first, which is the block's mean.
    private static func noise(_ bytes: Span<UInt8>, _ content: Range<Int>) -> Double? {
        guard let first = bytes.byte(at: content.lowerBound) else { return nil }
        let width = first >> 4 == 0 ? 1 : 2
        guard content.count >= 1 + 64 * width else { return nil }
        var sum = 0.0
        for index in 1..<64 {
            let place = content.lowerBound + 1 + index * width
            let step = Double(bytes.bigEndian(at: place, bytes: width) ?? 0)
            sum += step * step
        }
        return (sum / 64 / 12).squareRoot()
    }

    /// SOF0 to SOF15, without DHT, JPG and DAC, which stand between them.
    private static func isFrame(_ code: UInt8) -> Bool {
        (0xC0...0xCF).contains(code) && code != 0xC4 && code != 0xC8 && code != 0xCC
    }

    private mutating func readFrame(_ bytes: Span<UInt8>, at offset: Int, code: UInt8) {
        guard let height = bytes.bigEndian(at: offset + 3, bytes: 2),
            let width = bytes.bigEndian(at: offset + 5, bytes: 2),
            let count = bytes.byte(at: offset + 7), count > 0, count <= 4
        else { return }
        var components: [JPEGScans.Component] = []
        for index in 0..<Int(count) {
            guard let id = bytes.byte(at: offset + 8 + 3 * index),
                let factors = bytes.byte(at: offset + 9 + 3 * index)
            else { return }
            components.append(
                JPEGScans.Component(
                    id: id, horizontal: Int(factors >> 4), vertical: Int(factors & 15)))
        }
        size = PixelSize(width: width, height: height)
        // SOF2, 6, 10 and 14; SOF9 and above.
        scans.begin(components, isProgressive: code & 3 == 2, isArithmetic: code & 8 != 0)
    }

    private func readScan(
        _ bytes: Span<UInt8>, at marker: (start: Int, code: UInt8, end: Int)
    ) -> JPEGScans.Scan? {
        guard let length = bytes.bigEndian(at: marker.end, bytes: 2),
            let count = bytes.byte(at: marker.end + 2), length == 6 + 2 * Int(count),
            let firstCoefficient = bytes.byte(at: marker.end + length - 3),
            let lastCoefficient = bytes.byte(at: marker.end + length - 2),
            let precision = bytes.byte(at: marker.end + length - 1)
        else { return nil }
        let ids = (0..<Int(count)).map { bytes[marker.end + 3 + 2 * $0] }
        let data = marker.end + length
        let next = Self.nextMarker(bytes, from: data)?.start
        return JPEGScans.Scan(
            ids: ids, firstCoefficient: Int(firstCoefficient),
            lastCoefficient: Int(lastCoefficient), missingBits: Int(precision & 15),
            range: marker.start..<(next ?? Self.endOfData(bytes, from: data)))
    }

    /// Where data that no marker ends really end: a file that was allocated but not written to its
    /// end is filled with zeros.
    private static func endOfData(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var end = bytes.count
        while end > start, bytes[end - 1] == 0 { end -= 1 }
        // A few zeros may be data.
        return bytes.count - end < 64 ? bytes.count : end
    }

    /// The next marker but restart markers, which belong to a scan's data. Any number of 0xFF
    /// bytes may stand before a marker's code, and 0xFF00 is a byte of data.
    private static func nextMarker(
        _ bytes: Span<UInt8>, from start: Int
    ) -> (start: Int, code: UInt8, end: Int)? {
        var offset = start
        while let found = bytes.firstOffset(of: 0xFF, from: offset) {
            var position = found + 1
            while let byte = bytes.byte(at: position), byte == 0xFF { position += 1 }
            guard let code = bytes.byte(at: position) else { return nil }
            if code != 0, !(0xD0...0xD7).contains(code) { return (found, code, position + 1) }
            offset = position + 1
        }
        return nil
    }
}
