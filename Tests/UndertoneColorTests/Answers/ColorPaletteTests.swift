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
                #expect(ColorPalette(clusters, count: 5, target: 4.5)?.accent == palette.accent)
            }
        }
    }

    /// 0.5 % of red in a grey gradient is among few colours, and is the accent.
    @Test func smallVividPatchSurvives() throws {
        let red = RGB8(red: 220, green: 20, blue: 30)
        let colors = (0..<20_000).map { index -> RGB8 in
            let value = UInt8(40 + index % 181)
            return index % 200 == 0 ? red : RGB8(red: value, green: value, blue: value)
        }
        let palette = try #require(ColorPalette([ColorCluster](of: colors), count: 5, target: 4.5))
        let nearest = try #require(
            palette.entries.map { OKLab.distance($0.color.oklab, red.oklab) }.min())
        #expect(nearest < 0.01)
        let accent = try #require(palette.accent)
        #expect(OKLab.distance(accent.color.oklab, red.oklab) < 0.01)
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
