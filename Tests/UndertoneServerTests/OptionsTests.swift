import GLibSupport
import Testing
import UndertoneProtocol

@testable import UndertoneServer

@Suite struct OptionsTests {
    private static func parse(_ arguments: String...) throws -> Options {
        try Options(["undertoned"].map { Array($0.utf8) } + arguments.map { Array($0.utf8) })
    }

    @Test func nothingGivenMeansTheDefaults() throws {
        let options = try Self.parse()
        #expect(options.socket == nil)
        #expect(options.decoder == nil)
        #expect((1...Limits.slots).contains(options.jobs))
        #expect(options.deadlineSeconds == Limits.deadlineSeconds)
        #expect(options.memoryCacheBytes == Limits.memoryCacheBytes)
        #expect(options.diskCacheBytes == 256 << 20)
        #expect(options.logLevel == .info)
        #expect(!options.version)
    }

    @Test func everyOptionIsTaken() throws {
        let options = try Self.parse(
            "--socket", "/s", "--decoder=/d", "-j", "3", "--deadline", "60", "--memory-cache", "1",
            "--cache-size", "7", "--sandbox", "best-effort", "--log-level", "debug",
            "--idle-exit", "90", "--version")
        #expect(options.socket == Array("/s".utf8))
        #expect(options.decoder == Array("/d".utf8))
        #expect(options.jobs == 3)
        #expect(options.deadlineSeconds == 60)
        #expect(options.memoryCacheBytes == 1 << 20)
        #expect(options.diskCacheBytes == 7 << 20)
        #expect(options.sandbox == .bestEffort)
        #expect(options.logLevel == .debug)
        #expect(options.idleExitSeconds == 90)
        #expect(options.version)
    }

    @Test(arguments: [["--cache-size", "0"], ["--no-cache"], ["--no-cache", "--cache-size", "9"]])
    func nothingIsKeptOnDisk(arguments: [String]) throws {
        let options = try Options((["undertoned"] + arguments).map { Array($0.utf8) })
        #expect(options.diskCacheBytes == 0)
    }

    @Test func pathsStayBytes() throws {
        let path: [UInt8] = [0x2f, 0xff, 0xfe, 0x20]
        let options = try Options([Array("undertoned".utf8), Array("--socket".utf8), path])
        #expect(options.socket == path)
    }

    @Test(arguments: [
        ["--jobs", "0"], ["--jobs", "65"], ["--jobs", "many"], ["--deadline", "0"],
        ["--deadline", "-1"], ["--memory-cache", "-1"], ["--memory-cache", "99999999999999999999"],
        ["--cache-size", "-1"], ["--cache-size", "1048577"], ["--idle-exit", "0"],
        ["--sandbox", "off"], ["--log-level", "loud"], ["--unknown"], ["argument"], ["--socket"],
    ])
    func nonsenseIsRefused(arguments: [String]) {
        #expect(throws: OptionFailure.self) {
            try Options(([["undertoned"], arguments].flatMap(\.self)).map { Array($0.utf8) })
        }
    }
}
