import Testing
import UndertoneColor

@testable import UndertoneClient

@Suite struct InvocationTests {
    private func parse(_ words: String...) throws -> Invocation {
        try Invocation((["undertone"] + words).map { Array($0.utf8) })
    }

    private func bytes(_ words: String...) -> [[UInt8]] { words.map { Array($0.utf8) } }

    @Test func asksForColorsWithoutBeingTold() throws {
        let short = try parse("a.png", "b.png")
        #expect(short.task == .ask(.color(ColorOptions()), .given(bytes("a.png", "b.png"))))
        #expect(short == (try parse("color", "a.png", "b.png")))
        #expect(short.startsDaemon)
        #expect(!short.isJSON)
        #expect(short.swatches == .auto)
    }

    @Test func takesOnlyTheFirstNameForACommand() throws {
        #expect(try parse("status").task == .status)
        #expect(try parse("cache").task == .cache(clear: false))
        #expect(try parse("cache", "--json", "clear").task == .cache(clear: true))
        #expect(throws: UsageError.self) { try parse("cache", "clean") }
        for surplus in ["more", "clear"] {
            #expect(throws: UsageError("cache takes nothing but clear: \(surplus)")) {
                try parse("cache", "clear", surplus)
            }
        }
        #expect(try parse("send").task == .send)
        #expect(try parse("socket").task == .socket)
        #expect(
            try parse("./status").task == .ask(.color(ColorOptions()), .given(bytes("./status"))))
        #expect(
            try parse("color", "status").task
                == .ask(.color(ColorOptions()), .given(bytes("status"))))
        #expect(
            try parse("a", "status").task
                == .ask(.color(ColorOptions()), .given(bytes("a", "status"))))
    }

    @Test func findsTheCommandBetweenOptions() throws {
        let invocation = try parse("-v", "--socket", "send", "status", "--json", "--no-start")
        #expect(invocation.task == .status)
        #expect(invocation.socket == Array("send".utf8))
        #expect(invocation.isVerbose)
        #expect(invocation.isJSON)
        #expect(!invocation.startsDaemon)
    }

    @Test func understandsEveryColorOption() throws {
        let invocation = try parse(
            "--average=oklab", "-c", "7", "--sampling", "thumbnail", "--backdrop=#1E90ff",
            "-r", "bar=bottom:0.12", "--region=a=b=0,0.5,.25,0.5", "x.png", "--color=always")
        var options = ColorOptions()
        options.average = .oklab
        options.contrast = 7
        options.sampling = .thumbnail
        options.backdrop = RGB8(red: 0x1E, green: 0x90, blue: 0xFF)
        options.regions = [
            ("bar", .edge(.bottom, size: 0.12)),
            ("a=b", .rectangle(x: 0, y: 0.5, width: 0.25, height: 0.5)),
        ]
        #expect(invocation.task == .ask(.color(options), .given(bytes("x.png"))))
        #expect(invocation.swatches == .always)
    }

    @Test func readsNamesFromStandardInput() throws {
        #expect(try parse("-").task == .ask(.color(ColorOptions()), .input(separator: 10)))
        #expect(try parse("-0", "-").task == .ask(.color(ColorOptions()), .input(separator: 0)))
        #expect(try parse("./-").task == .ask(.color(ColorOptions()), .given(bytes("./-"))))
    }

    @Test func takesNamesThatLookLikeOptionsAfterTwoDashes() throws {
        let invocation = try parse("--json", "--", "--help", "-x.png")
        #expect(invocation.task == .ask(.color(ColorOptions()), .given(bytes("--help", "-x.png"))))
        #expect(invocation.isJSON)
    }

    @Test(arguments: [
        [], ["color"], ["--nonsense", "a"], ["status", "x"], ["socket", "x"], ["send", "x"],
        ["status", "--average=simple"], ["socket", "--json"], ["send", "--json"],
        ["a", "-"], ["-0", "a"], ["--average=Simple", "a"], ["--average", "", "a"],
        ["--contrast=0.99", "a"], ["--contrast=21.01", "a"], ["--contrast=nan", "a"],
        ["--contrast=4,5", "a"], ["--sampling=fast", "a"], ["--backdrop=red", "a"],
        ["--backdrop=#12345", "a"], ["--backdrop=#12345g", "a"], ["--backdrop=#+12345", "a"],
        ["--region=bottom:0.1", "a"], ["--region==bottom:0.1", "a"], ["--region=a=up:0.1", "a"],
        ["--region=a=top:0", "a"], ["--region=a=top:1.1", "a"], ["--region=a=0,0,1", "a"],
        ["--region=a=0,0,1,1,1", "a"], ["--region=a=0,0,0,1", "a"],
        ["--region=a=0.5,0,0.6,1", "a"],
        ["--region=a=-0.1,0,0.5,1", "a"], ["--region=a=0,,1,1", "a"],
        ["--region=a=inf,0,1,1", "a"],
        ["-r", "a=top:1", "-r", "a=left:1", "x"], ["--color=maybe", "a"], ["--socket"],
    ])
    func refuses(words: [String]) {
        #expect(throws: UsageError.self) {
            try Invocation((["undertone"] + words).map { Array($0.utf8) })
        }
    }

    @Test func refusesMoreRegionsThanTheDaemon() throws {
        let regions = (0..<17).map { Array("--region=r\($0)=top:0.5".utf8) }
        #expect(throws: UsageError("there may be at most 16 regions")) {
            try Invocation(bytes("undertone") + regions + bytes("a"))
        }
        _ = try Invocation(bytes("undertone") + regions.dropLast() + bytes("a"))
    }

    @Test func keepsNamesThatAreNotText() throws {
        let odd: [UInt8] = [0xFF, 0x0A, 0xC3]
        let invocation = try Invocation(bytes("undertone") + [odd])
        #expect(invocation.task == .ask(.color(ColorOptions()), .given([odd])))
    }

    @Test(arguments: [[], ["color"], ["status"], ["send"], ["socket"]])
    func helpsEverywhere(words: [String]) throws {
        for option in ["--help", "-h"] {
            let invocation = try Invocation(
                (["undertone"] + words + [option]).map { Array($0.utf8) })
            guard case .print(let text) = invocation.task else {
                Issue.record("\(words) \(option) prints nothing")
                continue
            }
            #expect(text.contains((["undertone"] + words).joined(separator: " ") + " [OPTION"))
            #expect(text.contains("Exit status"))
            #expect(text.contains("--average") == ["color", nil].contains(words.first))
        }
        let version = try Invocation((["undertone"] + words + ["--version"]).map { Array($0.utf8) })
        #expect(version.task == .print("undertone 1.0.0\n"))
    }
}
