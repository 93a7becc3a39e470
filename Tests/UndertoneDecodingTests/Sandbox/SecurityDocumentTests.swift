import Glibc
import Testing
import UndertoneProtocol

@testable import UndertoneDecoding

/// SECURITY.md shows the sandbox as the code has it.
@Suite struct SecurityDocumentTests {
    /// The table below a heading, row by row, without its head.
    private func table(below heading: String) throws -> [[String]] {
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let file = unsafe open("/\(root)/SECURITY.md", O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        let lines = String(decoding: readAll(file), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == heading }, "no heading \(heading)")
        let rows = lines[(start + 1)...].drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        return rows.dropFirst(2).map { row in
            row.split(separator: "|").map { cell in
                String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
        }
    }

    @Test(arguments: [
        ("### Raster profile", DecoderProfile.raster), ("### Wide profile", .wide),
    ])
    func showsEveryRowOfTheFilters(_ heading: String, _ profile: DecoderProfile) throws {
        let expected = SystemCallTable.rules(for: profile).map(\.cells)
        #expect(try table(below: heading) == expected, "\(markdown(expected))")
    }

    @Test func showsEveryRowOfTheFilterOfWatches() throws {
        let expected = SystemCallTable.watching.map(\.cells)
        #expect(try table(below: "### Watches") == expected, "\(markdown(expected))")
    }

    @Test func showsEveryRightThatLandlockTakes() throws {
        let expected = LandlockRight.all.map { ["`\($0.name)`", "\($0.abi)"] }
        #expect(try table(below: "### Landlock") == expected, "\(markdown(expected))")
    }

    @Test func showsEveryLimit() throws {
        let limits = ResourceLimits(.raster, isSanitized: false)
        let expected = limits.rows.map { ["`\($0.name)`", "\($0.limit)", $0.reason] }
        #expect(try table(below: "### Resource limits") == expected, "\(markdown(expected))")
    }

    @Test func namesEveryFontFolder() throws {
        let expected = LandlockRuleset.fontFolders.map { ["`\($0)`"] }
        #expect(try table(below: "### Fonts") == expected, "\(markdown(expected))")
    }

    private func markdown(_ rows: [[String]]) -> String {
        rows.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }
}
