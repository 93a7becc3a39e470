import Testing

@testable import GLibSupport

@Suite struct OptionParserTests {
    private func bytes(_ words: String...) -> [[UInt8]] { words.map { Array($0.utf8) } }

    @Test func readsEveryKindInAnyOrder() throws {
        let parser = OptionParser(summary: "Tests.", hasHelp: false)
        let flag = parser.flag("loud", short: "l", "be loud")
        let name = parser.bytes("name", short: "n", "NAME", "a name")
        let many = parser.list("many", "WORD", "words")
        let count = parser.integer("count", "N", "a number")
        let rest = try parser.parse(
            bytes("prog", "a", "--many", "x", "-l", "--name=b c", "--many=y", "--count", "-3", "d"))
        #expect(rest == bytes("a", "d"))
        #expect(flag.value)
        #expect(name.value == Array("b c".utf8))
        #expect(many.value == bytes("x", "y"))
        #expect(count.value == -3)
    }

    @Test func tellsWhatIsNotGiven() throws {
        let parser = OptionParser(summary: "Tests.", hasHelp: false)
        let flag = parser.flag("loud", "be loud")
        let name = parser.bytes("name", "NAME", "a name")
        let many = parser.list("many", "WORD", "words")
        let count = parser.integer("count", "N", "a number")
        #expect(try parser.parse(bytes("prog")).isEmpty)
        #expect(!flag.value)
        #expect(name.value == nil)
        #expect(many.value.isEmpty)
        #expect(count.value == nil)
    }

    /// What it quotes of a command line does nothing to the terminal that it appears on.
    @Test(arguments: [
        "--cou\u{1b}]0;x\u{7}", "--count=\u{1b}[31m1", "--count=\u{9b}31m1", "-\u{1b}",
    ])
    func spellsOutWhatActsOnTerminals(argument: String) throws {
        let parser = OptionParser(summary: "Tests.", hasHelp: false)
        _ = parser.integer("count", "N", "a number")
        do throws(OptionFailure) {
            _ = try parser.parse(bytes("prog", argument))
            Issue.record("\(argument) was taken")
        } catch {
            let scalars = error.message.unicodeScalars
            #expect(!error.message.isEmpty)
            #expect(!scalars.contains { $0.properties.generalCategory == .control })
        }
    }

    @Test func keepsBytesThatAreNotText() throws {
        let parser = OptionParser(summary: "Tests.", hasHelp: false)
        let name = parser.bytes("name", "NAME", "a name")
        let odd: [UInt8] = [0xFF, 0x0A, 0xC3]
        let rest = try parser.parse([Array("prog".utf8), Array("--name=".utf8) + odd, odd])
        #expect(name.value == odd)
        #expect(rest == [odd])
    }

    @Test(arguments: [["-", "-x"], ["-x"], ["a", "--unknown", "b"], ["--"], ["a"], []])
    func takesAnythingAfterTwoDashes(names: [String]) throws {
        let parser = OptionParser(summary: "Tests.", hasHelp: false)
        let flag = parser.flag("loud", "be loud")
        let rest = try parser.parse(bytes("prog", "--loud", "--") + names.map { Array($0.utf8) })
        #expect(rest == names.map { Array($0.utf8) })
        #expect(flag.value)
    }

    @Test func refusesWhatWasNotDeclared() {
        let parser = OptionParser(summary: "Tests.", hasHelp: false)
        #expect(throws: OptionFailure(message: "Unknown option --help")) {
            try parser.parse(bytes("prog", "--help"))
        }
        #expect(throws: OptionFailure(message: "Unknown option --nonsense=1")) {
            try parser.parse(bytes("prog", "--nonsense=1"))
        }
    }

    @Test func refusesAnOptionWithoutItsValue() {
        let parser = OptionParser(summary: "Tests.", hasHelp: false)
        _ = parser.bytes("name", "NAME", "a name")
        #expect(throws: OptionFailure.self) { try parser.parse(bytes("prog", "--name")) }
    }

    @Test func describesItsOptions() {
        let parser = OptionParser(usage: "FILE…", summary: "Tests.", hasHelp: false)
        _ = parser.list("many", short: "m", "WORD", "words, many")
        let help = parser.help(program: "prog sub")
        #expect(help.contains("prog sub"))
        #expect(help.contains("FILE…"))
        #expect(help.contains("Tests."))
        #expect(help.contains("-m, --many=WORD"))
        #expect(help.contains("words, many"))
    }
}
