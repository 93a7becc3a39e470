/// Writes TIFF files of one uncompressed strip.
struct TIFFWriter {
    var width, height: Int
    /// The samples of each pixel, in the file's order and of `bits` bits.
    var pixels: [[Int]]
    var bits = 8
    /// 0 white is zero, 1 black is zero, 2 RGB.
    var photometric = 2
    /// RowsPerStrip; all rows by default.
    var rowsPerStrip: Int?
    /// ExtraSamples: 0 unspecified, 1 associated, 2 unassociated alpha.
    var extraSample: Int?
    /// A second one.
    var otherExtraSample: Int?
    var orientation: Int?
    var profile: [UInt8]?
    var isLittleEndian = true
    var isBig = false

    /// A picture of pixels in rows.
    init(width: Int, height: Int, pixels: [[Int]]) {
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// The whole file: header, strip, directory.
    func bytes() -> [UInt8] {
        let number = { (value: Int, count: Int) -> [UInt8] in
            isLittleEndian ? .little(value, count) : .big(value, count)
        }
        let wide = isBig ? 8 : 4
        let samples = pixels.first?.count ?? 3
        let strip = pixels.flatMap { $0.flatMap { number($0, bits / 8) } }
        let headerLength = isBig ? 16 : 8
        var extra = strip
        var entries: [(tag: Int, type: Int, count: Int, value: [UInt8])] = []
        func add(_ tag: Int, _ type: Int, _ values: [Int]) {
            let size = type == 3 ? 2 : 4
            var bytes = values.flatMap { number($0, size) }
            if bytes.count > wide {
                if extra.count % 2 == 1 { extra.append(0) }
                let place = headerLength + extra.count
                extra += bytes
                bytes = number(place, wide)
            }
            bytes += [UInt8](repeating: 0, count: wide - bytes.count)
            entries.append((tag, type, values.count, bytes))
        }
        add(256, 4, [width])
        add(257, 4, [height])
        add(258, 3, [Int](repeating: bits, count: samples))
        add(259, 3, [1])
        add(262, 3, [photometric])
        add(273, 4, [headerLength])
        if let orientation { add(274, 3, [orientation]) }
        add(277, 3, [samples])
        add(278, 4, [rowsPerStrip ?? height])
        add(279, 4, [strip.count])
        if let extraSample { add(338, 3, [extraSample] + (otherExtraSample.map { [$0] } ?? [])) }
        if let profile {
            if extra.count % 2 == 1 { extra.append(0) }
            entries.append((34_675, 7, profile.count, number(headerLength + extra.count, wide)))
            extra += profile
        }
        if extra.count % 2 == 1 { extra.append(0) }
        let mark = Array((isLittleEndian ? "II" : "MM").utf8)
        let header =
            isBig
            ? mark + number(43, 2) + number(8, 2) + number(0, 2) + number(16 + extra.count, 8)
            : mark + number(42, 2) + number(8 + extra.count, 4)
        let directory =
            number(entries.count, isBig ? 8 : 2)
            + entries.flatMap {
                number($0.tag, 2) + number($0.type, 2) + number($0.count, wide) + $0.value
            } + number(0, wide)
        return header + extra + directory
    }
}
