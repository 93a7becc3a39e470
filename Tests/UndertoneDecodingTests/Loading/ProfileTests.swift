import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneDecoding

@Suite("Embedded profiles are converted to sRGB, or honestly not")
struct ProfileTests {
    private let displayP3 = ICCWriter.rgb(ICCWriter.displayP3Primaries, .sRGB)

    private func png(
        _ profile: [UInt8], alpha: UInt8? = nil, color: [UInt8] = [210, 90, 60]
    ) -> [UInt8] {
        var writer = PNGWriter(width: 4, height: 4, colorType: alpha == nil ? .rgb : .rgba) {
            _, _ in
            color + (alpha.map { [$0] } ?? [])
        }
        writer.chunks = [("iCCP", Array("p\0\0".utf8) + PNGWriter.zlibStored(profile))]
        return writer.bytes()
    }

    @Test("Display P3 in every format that can carry it")
    func everyFormat() throws {
        var tiff = TIFFWriter(
            width: 4, height: 4, pixels: [[Int]](repeating: [210, 90, 60], count: 16))
        tiff.profile = displayP3
        for bytes in [
            png(displayP3), png(displayP3, alpha: 255), tiff.bytes(),
            try Fixture.bytes("display-p3.avif"), try Fixture.bytes("display-p3.heic"),
        ] {
            let summary = try summary(bytes)
            #expect(summary.image.profile == .converted)
            #expect(isClose(summary.picture.simple, 226.8, 79.6, 47.5, within: 1.6))
        }
    }

    @Test("The same through JPEG and WebP, whose pixels are not flat")
    func lossy() throws {
        // Linear light in and out keeps the mean of linear light: only mixing differs.
        let jpeg = try Fixture.bytes("baseline.jpg")
        let plain = try summary(jpeg)
        let converted = try summary(Containers.jpeg(jpeg, profile: displayP3))
        #expect(converted.image.profile == .converted)
        #expect(converted.picture.simple.y < plain.picture.simple.y)
        let webP = try summary(
            Containers.webP(
                Fixture.bytes("lossy.webp"), width: 128, height: 96, profile: displayP3))
        #expect(webP.image.profile == .converted)
        let other = converted.picture.simple
        #expect(isClose(webP.picture.simple, other.x, other.y, other.z, within: 1.5))
    }

    @Test("Alpha stays as it is, and decides as before")
    func alpha() throws {
        let area = try summary(png(displayP3, alpha: 128)).picture
        #expect(isClose(area.simple, 226.8, 79.6, 47.5, within: 1))
        #expect(abs(area.opacity - 128.0 / 255) < 0.001)
    }

    @Test("sRGB's own profile changes nothing and is none")
    func sRGB() throws {
        let summary = try summary(png(ICCWriter.rgb(ICCWriter.sRGBPrimaries, .sRGB)))
        #expect(summary.image.profile == .none)
        #expect(isClose(summary.picture.simple, 210, 90, 60, within: 0.01))
    }

    @Test("A profile that only resembles sRGB is converted")
    func almost() throws {
        let gamma = try summary(png(ICCWriter.rgb(ICCWriter.sRGBPrimaries, .gamma(1.8))))
        #expect(gamma.image.profile == .converted)
        // (210 / 255)^1.8 is 0.705 of light, which is 218.5 in sRGB; of 90 it is 109.
        #expect(abs(gamma.picture.simple.x - 218.5) < 1 && abs(gamma.picture.simple.y - 109) < 1)
        let close = try summary(png(ICCWriter.rgb(ICCWriter.sRGBPrimaries, .gamma(2.2))))
        #expect(close.image.profile == .converted)
    }

    @Test("A gray profile rides on RGB pixels")
    func gray() throws {
        func png(_ profile: [UInt8]) -> [UInt8] {
            var writer = PNGWriter(
                width: 2, height: 1, colorType: .gray, bitDepth: 8, rows: [[128, 128]])
            writer.chunks = [("iCCP", Array("p\0\0".utf8) + PNGWriter.zlibStored(profile))]
            return writer.bytes()
        }
        let flat = try summary(png(ICCWriter.gray(.gamma(1.0))))
        #expect(flat.image.profile == .converted)
        // Half of linear light is 188 in sRGB.
        #expect(isClose(flat.picture.simple, 188, 188, 188, within: 1))
        let same = try summary(png(ICCWriter.gray(.sRGB)))
        #expect(same.image.profile == .none)
        #expect(isClose(same.picture.simple, 128, 128, 128, within: 0.01))
    }

    @Test("Damaged profiles and those of other spaces are unusable")
    func unusable() throws {
        let damaged = Array(displayP3.prefix(200))
        for profile in [
            damaged, Array("not a profile".utf8), ICCWriter.empty("CMYK"), ICCWriter.empty("RGB "),
            ICCWriter.empty("Lab "), ICCWriter.empty("GRAY"),
        ] {
            // libpng drops profiles that it does not like: these come in JPEG.
            let bytes = try Containers.jpeg(Fixture.bytes("baseline.jpg"), profile: profile)
            let summary = try summary(bytes)
            #expect(summary.image.profile == .unusable)
            #expect(isClose(summary.picture.simple, 127, 127, 64, within: 1))
        }
        let cmyk = try Containers.jpeg(Fixture.bytes("cmyk.jpg"), profile: ICCWriter.empty("CMYK"))
        #expect(try summary(cmyk).image.profile == .unusable)
    }

    @Test("A damaged profile is unusable in PNG, too")
    func unusablePNG() throws {
        let profile = PNGWriter.zlibStored(displayP3)
        let name = Array("p\0\0".utf8)
        let cut = PNGWriter.zlibStored(Array(displayP3.prefix(200)))
        let gray = PNGWriter.zlibStored(ICCWriter.gray(.gamma(1)))
        let chunks: [[UInt8]] = [
            name + cut, name + profile.prefix(100), Array("p\0".utf8) + [1] + profile,
            name + [9, 9, 9], Array("p".utf8), [], name + gray,
        ]
        for chunk in chunks {
            var writer = PNGWriter(width: 4, height: 4) { _, _ in [210, 90, 60] }
            writer.chunks = [("iCCP", chunk)]
            let summary = try summary(writer.bytes())
            #expect(summary.image.profile == .unusable)
            #expect(isClose(summary.picture.simple, 210, 90, 60, within: 0.01))
        }
    }

    @Test("A gray profile on colors is unusable")
    func grayOnColors() throws {
        let bytes = try Containers.jpeg(
            Fixture.bytes("baseline.jpg"), profile: ICCWriter.gray(.gamma(1)))
        let summary = try summary(bytes)
        #expect(summary.image.profile == .unusable)
        #expect(isClose(summary.picture.simple, 127, 127, 64, within: 1))
    }

    @Test("Code points count before a profile in PNG, where they can be converted")
    func codedBeforeProfile() throws {
        for isFirst in [true, false] {
            var writer = PNGWriter(width: 4, height: 4) { _, _ in [210, 90, 60] }
            let profile = Array("p\0\0".utf8) + PNGWriter.zlibStored(displayP3)
            for (points, red) in [([1, 13, 0, 1] as [UInt8], 210.0), ([9, 16, 0, 1], 226.8)] {
                writer.chunks = [("cICP", points), ("iCCP", profile)]
                if !isFirst { writer.chunks.reverse() }
                #expect(abs(try summary(writer.bytes()).picture.simple.x - red) < 1)
            }
        }
    }

    @Test("Code points stand for a profile in PNG")
    func codedPNG() throws {
        func mean(_ primaries: UInt8, _ transfer: UInt8) throws -> (SIMD3<Double>, ProfileUse) {
            var writer = PNGWriter(width: 4, height: 4) { _, _ in [210, 90, 60] }
            writer.chunks = [("cICP", [primaries, transfer, 0, 1])]
            let summary = try summary(writer.bytes())
            return (summary.picture.simple, summary.image.profile)
        }
        for transfer: UInt8 in [1, 2, 6, 13] {
            let same = try mean(1, transfer)
            #expect(same.1 == .none && isClose(same.0, 210, 90, 60, within: 0.01))
        }
        let wide = try mean(12, 13)
        #expect(wide.1 == .converted && isClose(wide.0, 226.8, 79.6, 47.5, within: 1))
        // Wider still: BT.2020, where red is out of sRGB's reach.
        let wider = try mean(9, 13)
        #expect(wider.1 == .converted && wider.0.x > 240 && wider.0.y < 79)
        // Linear light: half of it is 188.
        let linear = try mean(1, 8)
        #expect(linear.1 == .converted && abs(linear.0.y - 160.6) < 1)
        // PQ, HLG, and what is not in the table.
        for (primaries, transfer): (UInt8, UInt8) in [(9, 16), (9, 18), (200, 13), (1, 200)] {
            let unusable = try mean(primaries, transfer)
            #expect(unusable.1 == .unusable && isClose(unusable.0, 210, 90, 60, within: 0.01))
        }
    }

    @Test("Code points stand for a profile in AVIF, unless there is one")
    func codedAVIF() throws {
        var bytes = try Fixture.bytes("picture.avif")
        let plain = try summary(bytes)
        #expect(plain.image.profile == .none)
        let place = try #require(bytes.offset(of: "nclx"))
        bytes[place + 5] = 12
        let wide = try summary(bytes)
        #expect(wide.image.profile == .converted)
        #expect(wide.picture.simple.y < plain.picture.simple.y)
        // The profile of this one says Display P3, whatever the code points say.
        var both = try Fixture.bytes("display-p3.avif")
        let other = try #require(both.offset(of: "nclx"))
        both[other + 5] = 9
        #expect(isClose(try summary(both).picture.simple, 226.8, 79.6, 47.5, within: 1.6))
    }

    @Test("A bitmap's profile stands behind its pixels")
    func bitmap() throws {
        var bytes = BMPWriter.rgb(width: 4, height: 4) { _, _ in [210, 90, 60] }
        // A BITMAPV5HEADER in place of the shorter one.
        let data = Array(bytes[54...])
        var header: [UInt8] = .little(124, 4) + bytes[18..<54]
        header += [UInt8](repeating: 0, count: 16) + Array("DEBM".utf8)
        header += [UInt8](repeating: 0, count: 48) + .little(0, 4)
        header += .little(124 + data.count, 4) + .little(displayP3.count, 4) + .little(0, 4)
        try #require(header.count == 124)
        bytes = bytes[..<10] + .little(138, 4) + header + data + displayP3
        let summary = try summary(bytes)
        #expect(summary.image.profile == .converted)
        #expect(summary.image.complete)
        #expect(isClose(summary.picture.simple, 226.8, 79.6, 47.5, within: 1))
    }
}
