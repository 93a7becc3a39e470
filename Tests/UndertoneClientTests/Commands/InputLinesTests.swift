import Testing

@testable import UndertoneClient

@Suite struct InputLinesTests {
    @Test(arguments: [
        ([""], 0), (["\n\n \t\r\n"], 0), (["a\nb\n"], 2), (["a", "b", "\n"], 1),
        (["a\n", "b"], 1), (["  ", " {", "}\n\n", "\n{}\n"], 2), (["\r\nx\r\n"], 1),
    ])
    func countsLinesThatAreNotBlank(pieces: [String], count: Int) {
        let lines = InputLines()
        #expect(pieces.map { lines.count($0.utf8) }.reduce(0, +) == count)
    }
}
