/// Small files of all formats, as far as scanners look at them; no loader would show them.
enum PictureHeaders {
    static let all: [[UInt8]] = {
        var files = [
            png, gif, jpeg, wholeJPEG, progressiveJPEG, bitmap, coreBitmap, icon, gzippedSVG,
        ]
        files += [tiff(isLittleEndian: true), tiff(isLittleEndian: false)]
        files += [webP(lossy), webP(lossless), webP(extended)]
        files += ["avif", "heic", "mif1"].map(isoMedia)
        files += texts.map(ascii)
        return files
    }()

    private static let texts = [
        "P1 2 2 0 1 1 0", "P4 9 1\n\0\0", "P5\n# c\n2 2\n255\n....", "P6 1 1 65535 ......",
        "<svg/>", "<?xml version=\"1.0\"?><!-- c --><svg:svg xmlns:svg=\"x\">",
        "\u{FEFF}<!DOCTYPE svg [<!ENTITY a \"]>\">]>\n<svg >", "BM is no bitmap", "P7", "<html>",
    ]

    // MARK: Chunks

    private static let png = join(
        [0x89], ascii("PNG\r\n\u{1A}\n"),
        chunk("IHDR", join(big(2, 4), big(2, 4), [8, 6, 0, 0, 0])),
        chunk("eXIf", exif(isLittleEndian: false)), chunk("iCCP", ascii("p\0\0")),
        chunk("IDAT", [120, 156, 99, 0]), chunk("IEND", []))

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        join(big(content.count, 4), ascii(type), content, [0, 0, 0, 0])
    }

    private static let lossy = riff(
        "VP8 ", join([0, 0, 0, 0x9D, 1, 0x2A], little(5, 2), little(4, 2)))
    private static let lossless = riff("VP8L", [0x2F, 1, 0x40, 0, 0, 0])
    private static let extended = join(
        riff("VP8X", join([8, 0, 0, 0], little(4, 3), little(3, 3))), lossless,
        riff("EXIF", exif(isLittleEndian: true)))

    private static func webP(_ chunks: [UInt8]) -> [UInt8] {
        join(ascii("RIFF"), little(chunks.count + 4, 4), ascii("WEBP"), chunks)
    }

    private static func riff(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let padding: [UInt8] = content.count % 2 == 0 ? [] : [0]
        return join(ascii(type), little(content.count, 4), content, padding)
    }

    private static func isoMedia(_ brand: String) -> [UInt8] {
        let color = box("colr", join(ascii("prof"), [1, 2, 3, 4]))
        let properties = box("iprp", box("ipco", color))
        return join(
            box("ftyp", join(ascii(brand), big(0, 4), ascii("mif1miaf"))),
            box("meta", join(big(0, 4), properties)),
            // A length of eight bytes.
            join(big(1, 4), ascii("free"), big(16, 8)), box("mdat", [0, 0]))
    }

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        join(big(content.count + 8, 4), ascii(type), content)
    }

    // MARK: Directories

    private static func tiff(isLittleEndian: Bool) -> [UInt8] {
        directory(
            [
                (256, 2), (257, 2), (258, 8), (262, 2), (273, 8), (274, 6), (277, 4), (279, 4),
                (338, 1),
            ], isLittleEndian: isLittleEndian)
    }

    private static func exif(isLittleEndian: Bool) -> [UInt8] {
        directory([(274, 6)], isLittleEndian: isLittleEndian)
    }

    /// A TIFF file of tags with a short number each.
    private static func directory(
        _ entries: [(tag: Int, value: Int)], isLittleEndian: Bool
    ) -> [UInt8] {
        let number = isLittleEndian ? little : big
        var bytes = join(
            ascii(isLittleEndian ? "II" : "MM"), number(42, 2), number(8, 4),
            number(entries.count, 2))
        for entry in entries {
            bytes += join(
                number(entry.tag, 2), number(3, 2), number(1, 4), number(entry.value, 2), [0, 0])
        }
        return bytes + [0, 0, 0, 0]
    }

    private static let icon = join(
        little(0, 2), little(1, 2), little(2, 2), [16, 16, 0, 0, 1, 0, 32, 0],
        little(bitmap.count, 4), little(38, 4), [0, 0, 0, 0, 1, 0, 32, 0], little(png.count, 4),
        little(38 + bitmap.count, 4), bitmap, png)

    // MARK: Headers

    private static let bitmap = join(
        ascii("BM"), little(70, 4), little(0, 4), little(54, 4), little(40, 4), little(2, 4),
        little(2, 4), little(1, 2), little(24, 2), little(0, 4), zeros(36))

    private static let coreBitmap = join(
        ascii("BM"), little(34, 4), little(0, 4), little(26, 4), little(12, 4), little(2, 2),
        little(2, 2), little(1, 2), little(1, 2), zeros(8))

    private static let gif = join(
        ascii("GIF89a"), little(2, 2), little(2, 2), [0x80, 0, 0], [0, 0, 0, 255, 255, 255],
        [0x21, 0xF9, 4, 1, 0, 0, 0, 0], [0x2C], zeros(4), little(2, 2), little(2, 2), [0],
        [2, 3, 0x44, 0x02, 0x05, 0], [0x3B])

    private static let jpeg = join(
        [0xFF, 0xD8], segment(0xE1, join(ascii("Exif\0\0"), exif(isLittleEndian: true))),
        segment(0xC0, [8, 0, 8, 0, 8, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]),
        segment(0xDA, [3, 1, 0, 2, 17, 3, 17, 0, 63, 0]), [1, 2, 0xFF, 0, 3, 0xFF, 0xD0, 4],
        [0xFF, 0xD9])

    private static let wholeJPEG = join(
        [0xFF, 0xD8], segment(0xDB, [0] + [UInt8](repeating: 16, count: 64)),
        segment(0xC0, [8, 0, 8, 0, 24, 1, 1, 0x11, 0]),
        // Codes of one bit and of two, for 3 bits and none; for the end and a bit behind a zero.
        segment(0xC4, join([0, 1, 1], zeros(14), [3, 0])),
        segment(0xC4, join([0x10, 1, 1], zeros(14), [0, 0x11])), segment(0xDD, [0, 2]),
        segment(0xDA, [1, 1, 0, 0, 63, 0]), [0b0101_0101, 0b0101_1111, 0xFF, 0xD0, 0b1001_1111],
        [0xFF, 0xD9])

    private static let progressiveJPEG = join(
        [0xFF, 0xD8], segment(0xDB, [0] + [UInt8](repeating: 16, count: 64)),
        segment(0xC2, [8, 0, 8, 0, 24, 1, 1, 0x11, 0]),
        // Codes of one bit and of two, for 3 bits and none.
        segment(0xC4, join([0, 1, 1], zeros(14), [3, 0])), segment(0xDD, [0, 2]),
        segment(0xDA, [1, 1, 0, 0, 0, 1]), [0b0101_1011, 0xFF, 0xD0, 0b0001_1111],
        segment(0xDA, [1, 1, 0, 1, 63, 0]), [7],
        segment(0xDA, [1, 1, 0, 0, 0, 16]), [0b1011_1111, 0xFF, 0xD0, 0b0111_1111],
        [0xFF, 0xD9])

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        join([0xFF, marker], big(content.count + 2, 2), content)
    }

    /// A stored block: no checksum is looked at before the end.
    private static let gzippedSVG = join(
        [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1], little(6, 2), little(~6, 2), ascii("<svg/>"))

    // MARK: Bytes

    private static func join(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }

    private static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        little(value, count).reversed()
    }
}
