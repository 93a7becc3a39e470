import Testing

@testable import UndertoneClient

@Suite struct PictureCommandTests {
    @Test(
        arguments: [
            (Array("a b.png".utf8), #"{"path":"a b.png","result":{"x":1}}"#),
            (Array("\"\n\\".utf8), #"{"path":"\"\n\\","result":{"x":1}}"#),
            ([0xFF], #"{"path_b64":"/w==","result":{"x":1}}"#),
        ] as [([UInt8], String)])
    func putsTheNameBeforeTheReply(name: [UInt8], line: String) {
        let written = JSONLine.named(name, Array(#"{"result":{"x":1}}"#.utf8))
        #expect(String(decoding: written, as: UTF8.self) == line + "\n")
    }

    @Test func remembersWhichNameIsAnsweredNext() throws {
        let names = (0..<5000).map { Array("/\($0)".utf8) }
        let questions = PictureQuestions(.given(names), ColorOptions().request(path:))
        #expect(questions.total == 5000)
        #expect(questions.takeAnswered() == nil)
        var answered: [[UInt8]] = []
        for index in names.indices {
            let line = Array("{\"path\":\"/\(index)\"}\n".utf8)
            #expect(try questions.next() == .requests(line, count: 1))
            // Always three behind.
            if index >= 3 { answered.append(try #require(questions.takeAnswered())) }
        }
        #expect(try questions.next() == .end)
        while let name = questions.takeAnswered() { answered.append(name) }
        #expect(answered == names)
    }
}
