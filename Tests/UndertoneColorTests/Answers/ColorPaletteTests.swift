import Testing

@testable import UndertoneColor

@Suite struct ColorPaletteTests {
    @Test func flatPictureHasOneColor() throws {
        let color = RGB8(packed: 0x3f_7a20)
        let palette = try #require(ColorPalette([ColorCluster](of: [color]), count: 8, target: 4.5))
        #expect(palette.entries.map(\.color) == [color])
        #expect(palette.entries[0].millionths == 1_000_000)
        #expect(palette.accent?.color == color)
        #expect(palette.entries[0].foreground.color == .white)
    }

    @Test(arguments: [(0x00_0000, 0xff_ffff), (0x80_8080, 0x81_8080), (0xff_0000, 0x00_ff00)])
    func twoColorsAreTwo(one: UInt32, other: UInt32) throws {
        let colors = [RGB8(packed: one), RGB8(packed: other), RGB8(packed: one)]
        let palette = try #require(ColorPalette([ColorCluster](of: colors), count: 8, target: 4.5))
        #expect(palette.entries.map(\.color) == [colors[0], colors[1]])
        #expect(palette.entries.map(\.millionths) == [666_667, 333_333])
    }

    /// Many colours that are alike are one, also where they lie around two.
    @Test func nearShadesOfManyColorsAreOne() throws {
        let colors = (0..<90).map { index -> RGB8 in
            let shift = UInt8(index % 5)
            return index % 2 == 0
                ? RGB8(red: 58 + shift, green: 60 + UInt8(index / 2 % 9), blue: 66)
                : RGB8(red: 70 + shift, green: 72 + UInt8(index / 2 % 9), blue: 78)
        }
        #expect(Set(colors).count > 64)
        let palette = try #require(ColorPalette([ColorCluster](of: colors), count: 8, target: 4.5))
        for (index, entry) in palette.entries.enumerated() {
            for other in palette.entries[..<index] {
                #expect(OKLab.distance(entry.color.oklab, other.color.oklab) >= 0.05)
            }
        }
    }

    @Test(arguments: RandomPicture.allCases)
    func entriesAreDistinctAndAddUp(kind: RandomPicture) throws {
        for seed in UInt64(1)...4 {
            let clusters = [ColorCluster](of: kind.pixels(4000, seed: seed))
            for count in [1, 2, 3, 8, 32] {
                let palette = try #require(ColorPalette(clusters, count: count, target: 4.5))
                let entries = palette.entries
                #expect((1...count).contains(entries.count))
                #expect(entries.reduce(0) { $0 + $1.millionths } == 1_000_000)
                #expect(entries.allSatisfy { $0.millionths >= 1 })
                let shares = entries.map(\.millionths)
                #expect(shares == shares.sorted(by: >))
                for (index, entry) in entries.enumerated() where clusters.count > 2 {
                    for other in entries[..<index] {
                        let distance = OKLab.distance(entry.color.oklab, other.color.oklab)
                        #expect(distance >= ColorPalette.separation)
                    }
                }
                for entry in entries {
                    #expect(clusters.contains { $0.color == entry.color })
                    let expected = ContrastColor.foreground(on: entry.color, target: 4.5)
                    #expect(entry.foreground == expected)
                }
                #expect(ColorPalette(clusters, count: count, target: 4.5) == palette)
                let other = try #require(ColorPalette(clusters, count: 5, target: 4.5))
                #expect(other.accent?.color == palette.accent?.color)
                guard let accent = palette.accent, count > 1 else { continue }
                #expect(entries.contains(accent))
            }
        }
    }

    /// A patch in a gradient of greys or browns is among few colours, and is the accent.
    @Test(
        arguments: [0xdc_141e, 0xe8_d018, 0x18_a030, 0x18_40e0, 0xe0_18c0] as [UInt32],
        [20, 300, 1000])
    func smallVividPatchSurvives(packed: UInt32, onein: Int) throws {
        let vivid = RGB8(packed: packed)
        // A thousandth does not stand out of brown as it does of grey.
        for isBrown in [false, true] where !(isBrown && onein == 1000) {
            let colors = (0..<20_000).map { index -> RGB8 in
                if index % onein == 0 { return vivid }
                let value = UInt8(40 + index % 181)
                let blue = isBrown ? value / 2 + 20 : value
                return RGB8(red: value, green: isBrown ? value / 4 * 3 : value, blue: blue)
            }
            for count in [2, 4, 8] {
                let palette = try #require(
                    ColorPalette([ColorCluster](of: colors), count: count, target: 4.5))
                let distances = palette.entries.map { OKLab.distance($0.color.oklab, vivid.oklab) }
                #expect(try #require(distances.min()) < 0.02)
                let accent = try #require(palette.accent)
                #expect(OKLab.distance(accent.color.oklab, vivid.oklab) < 0.02)
            }
        }
    }

    /// Shades of a large area give way to hues of small ones.
    @Test func huesOutlastShades() throws {
        let hues = [0xe0_c73b, 0xf5_217d, 0x20_60d0, 0x20_a898].map { RGB8(packed: $0) }
        let colors = (0..<20_000).map { index -> RGB8 in
            if index % 25 == 0 { return hues[index / 25 % 4] }
            let value = Double(index % 997) / 997
            return RGB8(
                oklab: OKLCh(lightness: 0.1 + 0.8 * value, chroma: 0.05, hue: 40 + 40 * value).oklab
            )
        }
        let palette = try #require(ColorPalette([ColorCluster](of: colors), count: 8, target: 4.5))
        for hue in hues {
            let distances = palette.entries.map { OKLab.distance($0.color.oklab, hue.oklab) }
            #expect(try #require(distances.min()) < 0.02, "\(hue.hex)")
        }
    }

    @Test func greyPicturesGiveGreysAndNoAccent() throws {
        for step in [1, 3, 7] {
            let colors = (0..<9000).map { index -> RGB8 in
                let value = UInt8(truncatingIfNeeded: index * step)
                return RGB8(red: value, green: value, blue: value)
            }
            let palette = try #require(
                ColorPalette([ColorCluster](of: colors), count: 32, target: 4.5))
            #expect(palette.accent == nil)
            for color in palette.entries.map(\.color) {
                #expect(color.red == color.green && color.green == color.blue)
            }
        }
    }

    /// Red and blue make no purple, not even where there is room for one colour only.
    @Test func noHueIsInvented() throws {
        let (red, blue) = (RGB8(packed: 0xd0_2020), RGB8(packed: 0x20_20d0))
        let clusters = [ColorCluster](of: [red, blue, blue, red, blue])
        let palette = try #require(ColorPalette(clusters, count: 1, target: 4.5))
        #expect(palette.entries.map(\.color) == [blue])
        #expect(palette.entries[0].millionths == 1_000_000)
    }

    @Test func nothingVisibleHasNoPalette() {
        #expect(ColorPalette([], count: 4, target: 4.5) == nil)
    }
}
