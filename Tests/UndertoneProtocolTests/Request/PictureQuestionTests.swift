import Testing
import UndertoneColor

@testable import UndertoneProtocol

struct PictureQuestionTests {
    private static let path = Array("/a".utf8)

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

    @Test func anErrorOfTheOnlyPictureStaysAsItIs() {
        let error = RequestError(.notFound, "there is no such file")
        let question = PictureQuestion(.palette(PaletteRequest(path: Self.path)))
        #expect(question.error(error, ofPicture: 0) == error)
    }
}
