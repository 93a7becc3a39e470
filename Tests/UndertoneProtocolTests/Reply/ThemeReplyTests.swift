import Testing
import UndertoneColor

@testable import UndertoneProtocol

struct ThemeReplyTests {
    private static let picture = ImageSummary.test([(RGB8(packed: 0x30_60a0), Float(1))])

    private func reply(_ request: ThemeRequest, of summary: ImageSummary) throws -> String {
        String(decoding: try Reply.theme(id: nil, request, of: summary), as: UTF8.self)
    }

    private func theme(_ scheme: Scheme? = nil) throws -> Theme {
        let summary = Self.picture
        return try #require(Theme(summary.picture, summary.clusters, scheme: scheme))
    }

    private func colors(_ theme: Theme) -> String {
        theme.colors.enumerated().map { #""color\#($0)":"\#($1.hex)""# }.joined(separator: ",")
    }

    @Test(arguments: [nil, Scheme.dark, .light])
    func hasTheShapeOfTheSpecification(scheme: Scheme?) throws {
        let request = ThemeRequest(path: Array("/a".utf8), scheme: scheme)
        let text = try reply(request, of: Self.picture)
        let theme = try theme(scheme)
        #expect(theme.scheme == scheme ?? .dark)
        let roles = [
            ("accent", theme.accent), ("surface", theme.surface), ("muted", theme.muted),
            ("border", theme.border), ("error", theme.colors[1]), ("success", theme.colors[2]),
            ("warning", theme.colors[3]), ("info", theme.colors[4]),
        ].map { #""\#($0)":"\#($1.hex)""# }.joined(separator: ",")
        let start = """
            {"result":{\(ImageSummary.testImage),"opacity":1,"scheme":"\(theme.scheme.rawValue)",\
            "background":"\(theme.colors[0].hex)","foreground":"\(theme.colors[15].hex)",\
            "cursor":"\(theme.accent.hex)","colors":{\(colors(theme))},"roles":{\(roles)},\
            "lowest":
            """
        #expect(text.hasPrefix(start))
        let number = text.dropFirst(start.count).prefix { $0 != "}" }
        let lowest = try #require(Double(String(number)))
        let texts = theme.colors[1...7] + theme.colors[9...15] + [theme.accent, theme.muted]
        let expected = try #require(
            texts.map {
                min(contrastRatio($0, theme.colors[0]), contrastRatio($0, theme.surface))
            }.min())
        #expect(lowest <= expected && lowest > expected - 1e-5)
        #expect(lowest >= 4.5)
    }

    @Test func pywalsShapeHasTheSameColors() throws {
        let request = ThemeRequest(path: Array("/ä (b)".utf8), format: .pywal)
        let theme = try theme()
        let expected = #"""
            {"result":{"wallpaper":"/ä (b)","alpha":"100","special":\#
            {"background":"\#(theme.colors[0].hex)","foreground":"\#(theme.colors[15].hex)",\#
            "cursor":"\#(theme.accent.hex)"},"colors":{\#(colors(theme))}}}

            """#
        #expect(try reply(request, of: Self.picture) == expected)
    }

    /// Each after a slash; the last one is not UTF-8.
    @Test(arguments: ["\"", "'", "`id`", "$(id)", "\\", "a\nb", "\u{7f}", "\u{0}"])
    func aPathThatAShellWouldTakeForMoreIsNoWallpaper(name: String) throws {
        let path = name == "\u{0}" ? [0x2f, 0xff] : Array("/\(name)".utf8)
        let request = ThemeRequest(path: path, format: .pywal)
        let text = try reply(request, of: Self.picture)
        #expect(text.hasPrefix(#"{"result":{"wallpaper":"None","alpha":"100","#))
    }

    @Test func whereNothingCanBeSeenThereIsNoTheme() throws {
        let request = ThemeRequest(path: Array("/a".utf8))
        let expected = """
            {"result":{\(ImageSummary.testImage),"opacity":0,"scheme":null,"background":null,\
            "foreground":null,"cursor":null,"colors":null,"roles":null,"lowest":null}}

            """
        #expect(try reply(request, of: .test([])) == expected)
        #expect(throws: RequestError(.decodeFailed, "nothing of the picture can be seen")) {
            try reply(ThemeRequest(path: request.job.path, format: .pywal), of: .test([]))
        }
    }
}
