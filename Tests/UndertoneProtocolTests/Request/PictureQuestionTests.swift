import Testing
import UndertoneColor

@testable import UndertoneProtocol

struct PictureQuestionTests {
    private static let path = Array("/a".utf8)
    private static let other = Array("/b".utf8)

    private func question(_ line: String) throws -> PictureQuestion {
        let request = try Request(parsing: Array(line.utf8))
        guard case .picture(let question) = request.operation else {
            throw RequestError(.internal, "no question about pictures")
        }
        return question
    }

    @Test func aPaletteHasDefaults() throws {
        let question = try question(#"{"op":"palette","path":"/a"}"#)
        #expect(question.request == .palette(PaletteRequest(path: Self.path)))
        #expect(question.request == .palette(.init(path: Self.path, count: 8, contrast: 4.5)))
        #expect(question.jobs == [DecodeJob(path: Self.path)])
    }

    @Test func aPaletteTakesEveryField() throws {
        let question = try question(
            #"{"op":"palette","uri":"file:///a","count":32,"contrast":7,"sampling":"exact"}"#)
        let expected = PaletteRequest(path: Self.path, sampling: .exact, count: 32, contrast: 7)
        #expect(question.request == .palette(expected))
        #expect(question.jobs == [DecodeJob(path: Self.path, sampling: .exact)])
    }

    @Test func aWholeNumberMayBeWrittenWithAPoint() throws {
        let question = try question(#"{"op":"palette","path":"/a","count":4.0}"#)
        #expect(question.request == .palette(PaletteRequest(path: Self.path, count: 4)))
    }

    @Test func aThemeTakesEveryField() throws {
        let plain = try question(#"{"op":"theme","path_b64":"L2E="}"#)
        #expect(plain.request == .theme(ThemeRequest(path: Self.path)))
        let auto = #"{"op":"theme","path":"/a","scheme":"auto","format":"undertone"}"#
        #expect(try question(auto) == plain)
        let full = try question(
            #"{"op":"theme","path":"/a","scheme":"light","format":"pywal","sampling":"exact"}"#)
        let expected = ThemeRequest(
            path: Self.path, sampling: .exact, scheme: .light, format: .pywal)
        #expect(full.request == .theme(expected))
        #expect(full.jobs == [DecodeJob(path: Self.path, sampling: .exact)])
    }

    @Test func anIndicatorIsOfOnePictureOrTwo() throws {
        let plain = try question(#"{"op":"indicator","path":"/a"}"#)
        #expect(plain.request == .indicator(IndicatorRequest(path: Self.path)))
        #expect(plain.jobs == [DecodeJob(path: Self.path)])
        let whole = #"{"op":"indicator","path":"/a","area":{"x":0,"y":0,"width":1,"height":1}}"#
        #expect(try question(whole) == plain)
        let full = try question(
            ##"{"op":"indicator","path":"/a","area":{"edge":"bottom","size":0.25},"##
                + ##""average":"oklab","scheme":"light","over":"image","glyph":{"path_b64":"L2I="},"##
                + ##""sampling":"exact","backdrop":"#1E90ff"}"##)
        let area = RegionRectangle(x: 0, y: 0.75, width: 1, height: 0.25)
        let blue = RGB8(packed: 0x1e_90ff)
        let expected = IndicatorRequest(
            path: Self.path, sampling: .exact, backdrop: blue, area: area, glyph: Self.other,
            average: .oklab, scheme: .light, over: .image)
        #expect(full.request == .indicator(expected))
        #expect(
            full.jobs == [
                DecodeJob(path: Self.path, sampling: .exact, backdrop: blue, regions: [area]),
                DecodeJob(path: Self.other, sampling: .exact),
            ])
    }

    @Test func aTransitionIsOfAsManyPicturesAsItHas() throws {
        let plain = try question(##"{"op":"transition","from":"#000000","to":"#FfffFF"}"##)
        #expect(
            plain.request
                == .transition(TransitionRequest(from: .color(.black), to: .color(.white))))
        #expect(plain.jobs.isEmpty)
        let one = try question(##"{"op":"transition","from":"#000000","to":{"path":"/a"}}"##)
        #expect(one.jobs == [DecodeJob(path: Self.path)])
        let full = try question(
            #"{"op":"transition","from":{"uri":"file:///b"},"to":{"path":"/a"},"frames":240,"#
                + #""space":"srgb","average":"linear","contrast":7,"sampling":"exact"}"#)
        let jobs = [Self.other, Self.path].map { DecodeJob(path: $0, sampling: .exact) }
        let expected = TransitionRequest(
            from: .picture(jobs[0]), to: .picture(jobs[1]), frames: 240, space: .srgb,
            average: .linear, contrast: 7)
        #expect(full.request == .transition(expected))
        #expect(full.jobs == jobs)
    }

    @Test(arguments: [
        (#""op":"indicator","path":"/a","area":{"edge":"up"}"#, "area.edge must be one of: "),
        (#""op":"indicator","path":"/a","area":[]"#, "area must be an object"),
        (#""op":"indicator","path":"/a","glyph":"/b""#, "glyph must be an object"),
        (#""op":"indicator","path":"/a","glyph":{"path":"b"}"#, "glyph.path must be absolute"),
        (#""op":"indicator","path":"/a","glyph":{"path":1}"#, "glyph.path must be a string"),
        (#""op":"indicator","path":"/a","glyph":{"path_b64":"x"}"#, "glyph.path_b64 must be base"),
        (#""op":"indicator","path":"/a","glyph":{"uri":"x"}"#, "glyph.uri must be like file:"),
        (#""op":"indicator","path":"/a","glyph":{"fd":1}"#, "glyph.fd is reserved"),
        (#""op":"indicator","path":"/a","glyph":{"path":"/a","id":1}"#, "unknown field glyph.id"),
        (
            #""op":"indicator","path":"/a","glyph":{"path":"/a","uri":"file:///a"}"#,
            "only one of glyph.path, glyph.path_b64 and glyph.uri can be given"
        ),
        (#""op":"indicator","path":"/a","over":"x""#, "over must be one of: background, image"),
        (#""op":"indicator","path":"/a","contrast":7"#, "unknown field contrast"),
        (##""op":"transition","to":"#000000""##, "from is missing"),
        (##""op":"transition","from":"#000000""##, "to is missing"),
        (##""op":"transition","from":"#000","to":"#000000""##, "from must be a color like "),
        (##""op":"transition","from":"#000000","to":null"##, "to must be a color like "),
        (
            ##""op":"transition","from":{},"to":"#000000""##,
            "a picture is missing: give one of from."
        ),
        (##""op":"transition","from":{"path":"a"},"to":"#000000""##, "from.path must be absolute"),
        (##""op":"transition","from":"#000000","to":"#000000","frames":241"##, "frames must be a "),
        (
            ##""op":"transition","from":"#000000","to":"#000000","space":"hsl""##,
            "space must be one"
        ),
        (##""op":"transition","from":"#000000","to":"#000000","path":"/a""##, "unknown field path"),
    ])
    func namesTheFieldOfAPictureThatIsWrong(members: String, start: String) {
        let failure = rejection("{\(members)}")
        #expect(failure.error.code == .invalidRequest)
        #expect(failure.error.message.hasPrefix(start))
    }

    @Test(arguments: [
        (#""op":"palette""#, "a picture is missing: give one of path, path_b64 and uri"),
        (#""op":"palette","path":"/a","count":0"#, "count must be a whole number from 1 to 32"),
        (#""op":"palette","path":"/a","count":33"#, "count must be a whole number from 1 to 32"),
        (#""op":"palette","path":"/a","count":1.5"#, "count must be a whole number from 1 to 32"),
        (#""op":"palette","path":"/a","count":1e99"#, "count must be a whole number from 1 to 32"),
        (#""op":"palette","path":"/a","count":"8""#, "count must be a whole number from 1 to 32"),
        (#""op":"palette","path":"/a","contrast":22"#, "contrast must be a number from 1 to 21"),
        (#""op":"palette","path":"/a","average":"simple""#, "unknown field average"),
        (#""op":"theme","path":"/a","scheme":"grey""#, "scheme must be one of: dark, light, auto"),
        (#""op":"theme","path":"/a","scheme":null"#, "scheme must be one of: dark, light, auto"),
        (#""op":"theme","path":"/a","format":"wal""#, "format must be one of: undertone, pywal"),
        (#""op":"theme","path":"/a","contrast":7"#, "unknown field contrast"),
    ])
    func namesTheFieldThatIsWrong(members: String, message: String) {
        let failure = rejection("{\(members)}")
        #expect(failure.error == RequestError(.invalidRequest, message))
    }

    @Test func summariesOfOtherPicturesAreAnInternalError() {
        let question = PictureQuestion(.palette(PaletteRequest(path: Self.path)))
        #expect(throws: RequestError(.internal, "the summaries are of other pictures")) {
            try question.reply(from: [])
        }
    }

    @Test func aSummaryOfOtherRegionsIsAnInternalError() {
        let area = RegionRectangle(x: 0, y: 0, width: 1, height: 0.5)
        for request in [
            .color(ColorRequest(path: Self.path, regions: [("a", area)])),
            .indicator(IndicatorRequest(path: Self.path, area: area)),
        ] as [PictureQuestion.Request] {
            let question = PictureQuestion(request)
            #expect(throws: RequestError(.internal, "the summary is of other regions")) {
                try question.reply(from: [.test([(.white, Float(1))])])
            }
        }
    }

    @Test func anErrorOfTheOnlyPictureStaysAsItIs() {
        let error = RequestError(.notFound, "there is no such file")
        let question = PictureQuestion(.palette(PaletteRequest(path: Self.path)))
        #expect(question.error(error, ofPicture: 0) == error)
    }

    @Test func anErrorOfANamedPictureSaysWhich() {
        let error = RequestError(.unsupportedFormat, "no loader", package: "a-loader")
        func messages(_ request: PictureQuestion.Request) -> [String] {
            let question = PictureQuestion(request)
            return question.jobs.indices.map { index in
                let named = question.error(error, ofPicture: index)
                #expect(named.code == error.code && named.package == error.package)
                return named.message
            }
        }
        let picture = TransitionRequest.End.picture(DecodeJob(path: Self.path))
        #expect(
            messages(.indicator(IndicatorRequest(path: Self.path, glyph: Self.other)))
                == ["no loader", "glyph: no loader"])
        #expect(
            messages(.transition(TransitionRequest(from: picture, to: picture)))
                == ["from: no loader", "to: no loader"])
        #expect(
            messages(.transition(TransitionRequest(from: .color(.black), to: picture)))
                == ["to: no loader"])
    }
}
