import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneClient

@Suite struct QuestionTests {
    private func parse(_ words: String...) throws -> Invocation {
        try Invocation((["undertone"] + words).map { Array($0.utf8) })
    }

    private let picture = Invocation.PictureNames.given([Array("/a".utf8)])

    @Test func understandsPalettes() throws {
        var options = PaletteOptions()
        (options.count, options.contrast, options.sampling) = (12, 7, .exact)
        let invocation = try parse(
            "palette", "-n", "12", "-c", "7", "--sampling=exact", "--card", "c.svg", "/a")
        #expect(invocation.task == .ask(.palette(options), picture))
        #expect(invocation.card == Array("c.svg".utf8))
        #expect(try parse("palette", "/a").task == .ask(.palette(PaletteOptions()), picture))
        #expect(
            try parse("palette", "-0", "-").task
                == .ask(.palette(PaletteOptions()), .input(separator: 0)))
    }

    @Test func understandsIndicators() throws {
        var options = IndicatorOptions()
        options.area = .rectangle(x: 0, y: 0.5, width: 1, height: 0.5)
        (options.average, options.scheme, options.base) = (.oklab, .dark, .image)
        (options.glyph, options.backdrop) = (Array("/g.svg".utf8), .white)
        let task = try parse(
            "indicator", "--area=0,0.5,1,0.5", "-a", "oklab", "--scheme=dark", "--over=image",
            "--glyph=/g.svg", "--backdrop=#FFFFFF", "/a"
        ).task
        #expect(task == .ask(.indicator(options), picture))
        options = IndicatorOptions()
        options.area = .edge(.bottom, size: 0.12)
        #expect(
            try parse("indicator", "--area", "bottom:0.12", "--scheme", "auto", "/a").task
                == .ask(.indicator(options), picture))
    }

    @Test func understandsThemes() throws {
        var options = ThemeOptions()
        (options.scheme, options.format) = (.light, .pywal)
        #expect(
            try parse("theme", "--scheme=light", "--format=pywal", "/a").task
                == .ask(.theme(options), picture))
        options = ThemeOptions()
        options.format = .undertone
        #expect(
            try parse("theme", "--format=undertone", "/a").task
                == .ask(.theme(options), picture))
    }

    @Test func tellsColorsFromPictures() throws {
        var options = TransitionOptions(
            from: .color(RGB8(red: 0x16, green: 0x32, blue: 0x4F)), to: .picture([0x2F, 0x61]))
        (options.frames, options.space, options.contrast) = (60, .srgb, 7)
        #expect(
            try parse("transition", "#16324F", "/a", "--frames=60", "--space=srgb", "-c", "7").task
                == .transition(options))
        // Three digits are no colour here, and so are a name.
        guard case .transition(let other) = try parse("transition", "#fff", "./#ffffff").task,
            case .picture(let from) = other.from, case .picture(let to) = other.to
        else {
            Issue.record("not two pictures")
            return
        }
        #expect(from.suffix(5) == Array("/#fff".utf8))
        #expect(to.suffix(10) == Array("/./#ffffff".utf8))
    }

    @Test func watchesWithTheOptionsOfWhatIsWatched() throws {
        let name = Array("/a".utf8)
        #expect(try parse("watch", "/a").task == .watch(.color(ColorOptions()), name))
        var options = ColorOptions()
        options.regions = [("bar", .edge(.top, size: 1))]
        #expect(
            try parse("watch", "/a", "-r", "bar=top:1").task == .watch(.color(options), name))
        var palette = PaletteOptions()
        palette.count = 2
        #expect(
            try parse("watch", "--count=2", "/a", "--op", "palette").task
                == .watch(.palette(palette), name))
        #expect(
            try parse("watch", "--op=theme", "--card=c", "/a").task
                == .watch(.theme(ThemeOptions()), name))
    }

    @Test(arguments: [
        ["palette"], ["palette", "--count=0", "a"], ["palette", "--count=33", "a"],
        ["palette", "--count=two", "a"], ["palette", "--average=simple", "a"],
        ["palette", "--card=", "a"], ["palette", "--card=-", "a"], ["status", "--card=x"],
        ["indicator", "--area=a=top:1", "a"], ["indicator", "--area=top:0", "a"],
        ["indicator", "--scheme=grey", "a"], ["indicator", "--over=both", "a"],
        ["indicator", "--contrast=4.5", "a"], ["theme", "--scheme=", "a"],
        ["theme", "--format=wal", "a"], ["theme", "--format=pywal", "--card=x", "a"],
        ["transition", "#ffffff"], ["transition", "#ffffff", "#000000", "a"], ["transition"],
        ["transition", "a", "b", "--frames=1"], ["transition", "a", "b", "--frames=241"],
        ["transition", "a", "b", "--space=hsv"], ["transition", "-0", "a", "b"],
        ["watch"], ["watch", "a", "b"], ["watch", "--op=transition", "a"],
        ["watch", "--op=watch", "a"], ["watch", "--op=status", "a"], ["watch", "-0", "a"],
        ["watch", "--count=2", "a"], ["watch", "--op=palette", "-r", "b=top:1", "a"],
        ["color", "--op=palette", "a"], ["--count=3", "a"], ["socket", "--verbose"],
    ])
    func refuses(words: [String]) {
        #expect(throws: UsageError.self) {
            try Invocation((["undertone"] + words).map { Array($0.utf8) })
        }
    }

    @Test(arguments: [
        ("palette", ["--count", "--contrast", "--null", "--card"], ["--average", "--region"]),
        ("indicator", ["--area", "--glyph", "--over", "--scheme"], ["--contrast", "--count"]),
        ("theme", ["--scheme", "--format", "--card"], ["--average", "--contrast"]),
        ("transition", ["--frames", "--space", "--average"], ["--null", "--scheme"]),
        ("watch", ["--op", "--region", "--average"], ["--null", "--count", "--format"]),
        ("watch --op=theme", ["--op", "--format"], ["--region", "--null"]),
    ])
    func helpsWithItsOwnOptions(words: String, shown: [String], hidden: [String]) throws {
        let arguments = ["undertone"] + words.split(separator: " ").map(String.init) + ["--help"]
        guard case .print(let text) = try Invocation(arguments.map { Array($0.utf8) }).task else {
            Issue.record("prints nothing")
            return
        }
        for option in shown { #expect(text.contains(option), "\(option)") }
        for option in hidden { #expect(!text.contains(option), "\(option)") }
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }
}
