import Testing
import UndertoneColor

@testable import UndertoneDecoding

@Suite("Formats are recognised by their first bytes")
struct FormatSniffingTests {
    private func sniff(_ bytes: [UInt8]) -> ImageFormat? { ImageFormat.sniff(bytes.span) }
    private func sniff(_ text: String) -> ImageFormat? { sniff(Array(text.utf8)) }

    @Test(
        "Fixtures",
        arguments: [
            ("baseline.jpg", ImageFormat.jpeg), ("lossy.webp", .webp), ("picture.gif", .gif),
            ("picture.avif", .avif), ("sequence.avif", .avif), ("picture.heic", .heic),
        ])
    func fixtures(name: String, format: ImageFormat) throws {
        #expect(try sniff(Fixture.bytes(name)) == format)
    }

    @Test("Formats written here")
    func written() {
        let pixel: (Int, Int) -> [UInt8] = { _, _ in [1, 2, 3] }
        #expect(sniff(PNGWriter(width: 1, height: 1, pixel: pixel).bytes()) == .png)
        var tiff = TIFFWriter(width: 1, height: 1, pixels: [[1, 2, 3]])
        for isBig in [false, true] {
            for isLittleEndian in [false, true] {
                tiff.isBig = isBig
                tiff.isLittleEndian = isLittleEndian
                #expect(sniff(tiff.bytes()) == .tiff)
            }
        }
        #expect(sniff(BMPWriter.rgb(width: 1, height: 1, pixel: pixel)) == .bmp)
        let entry = BMPWriter.iconPicture(width: 1, height: 1, bits: 24, pixel: pixel)
        for kind in 1...2 {
            #expect(sniff(BMPWriter.icon([(1, 1, entry)], kind: kind)) == .ico)
        }
    }

    @Test("Netpbm, but for PAM", arguments: ["P1", "P2", "P3", "P4", "P5", "P6"])
    func netpbm(magic: String) {
        #expect(sniff(magic + "\n1 1\n") == .pnm)
        #expect(sniff(magic + "#comment\n") == .pnm)
        #expect(sniff(magic + "x") == nil)
        #expect(sniff("P7\nWIDTH 1\n") == nil)
        #expect(sniff("P0\n1 1\n") == nil)
    }

    @Test("Brands of ISO media files, the major one or a compatible one")
    func brands() {
        func file(_ brands: [String]) -> [UInt8] {
            var body = Array("ftyp".utf8)
            for (index, brand) in brands.enumerated() {
                body += Array(brand.utf8)
                if index == 0 { body += [0, 0, 0, 0] }
            }
            return .big(body.count + 4, 4) + body
        }
        #expect(sniff(file(["avif"])) == .avif)
        #expect(sniff(file(["avis", "avif"])) == .avif)
        #expect(sniff(file(["mif1", "miaf", "avif"])) == .avif)
        #expect(sniff(file(["heic", "mif1"])) == .heic)
        #expect(sniff(file(["heix", "mif1"])) == .heic)
        #expect(sniff(file(["msf1", "hevc"])) == .heic)
        #expect(sniff(file(["mif1", "miaf"])) == .heic)
        #expect(sniff(file(["mp42", "isom"])) == nil)
        #expect(sniff(file(["qt  "])) == nil)
    }

    @Test("What else begins alike is not taken")
    func lookalikes() {
        #expect(sniff("BM is how this text begins, and it goes on.") == nil)
        #expect(sniff([0, 0, 1, 0, 1, 0] + [UInt8](repeating: 0, count: 60)) == nil)
        #expect(sniff("RIFF....WAVEfmt ") == nil)
        #expect(sniff("GIF90a......") == nil)
        #expect(sniff("II*x") == nil)
        #expect(sniff([0x89] + Array("PNG\r\n".utf8)) == nil)
        #expect(sniff([]) == nil)
        #expect(sniff([0xFF]) == nil)
    }
}

@Suite("SVG is recognised by its first element")
struct SVGSnifferTests {
    private func accepts(_ bytes: [UInt8]) -> Bool { SVGSniffer.accepts(bytes.span) }
    private func accepts(_ text: String) -> Bool { accepts(Array(text.utf8)) }

    @Test(
        "Documents",
        arguments: [
            "<svg/>", "<svg>", "  \n\t<svg width='1'>", "\u{FEFF}<svg>", "<s:svg xmlns:s=''>",
            "<?xml version=\"1.0\"?><svg >", "<!-- <html> --><svg>", "<?a?><!--b--><?c?>\r\n<svg>",
            "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"a>b\"><svg>",
            "<!DOCTYPE svg [ <!ENTITY a \"]>\"> <!-- it's --> <!ENTITY b 'c'> ]><svg>",
        ])
    func documents(text: String) {
        #expect(accepts(text))
    }

    @Test(
        "Other texts",
        arguments: [
            "", "<", "svg", "<svgx>", "<svg", "<html><svg>", "<xsvg>", "<s:t:svgx>", "hello <svg>",
            "<!-- <svg>", "<?xml <svg>", "<!DOCTYPE svg [ <svg>", "<!DOCTYPE html><html><svg>",
        ])
    func others(text: String) {
        #expect(!accepts(text))
    }

    @Test("UTF-16 of either byte order")
    func wide() {
        let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><svg xmlns=\"x\">"
        let units = Array(text.utf16)
        let little: [UInt8] = [0xFF, 0xFE] + units.flatMap { [UInt8].little(Int($0), 2) }
        let big: [UInt8] = [0xFE, 0xFF] + units.flatMap { [UInt8].big(Int($0), 2) }
        #expect(accepts(little))
        #expect(accepts(big))
        #expect(!accepts(Array(little.dropFirst(2))))
    }

    @Test("gzip around it, in one stored block")
    func compressed() {
        func gzip(_ text: String) -> [UInt8] {
            let data = Array(text.utf8)
            return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1] + .little(data.count, 2)
                + .little(~data.count & 0xFFFF, 2) + data
        }
        #expect(accepts(gzip("<!-- a --><svg>")))
        #expect(!accepts(gzip("a tar archive, say")))
        #expect(!accepts([0x1F, 0x8B, 8] + [UInt8](repeating: 7, count: 40)))
    }
}
