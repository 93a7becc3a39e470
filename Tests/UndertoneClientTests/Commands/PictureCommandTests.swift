import CLinux
import GLibSupport
import Testing
import UndertoneColor

@testable import UndertoneClient

@Suite(.timeLimit(.minutes(1))) struct PictureCommandTests {
    /// Runs a command against a daemon that says one line at once, and returns what is printed.
    ///
    /// `failure` is what the command throws, if it does.
    private func printed(
        by line: String, _ command: (StubDaemon, Output) throws -> Void
    ) throws -> (text: String, failure: ClientError?) {
        let daemon = try StubDaemon { connection in
            writeAll(connection, line + "\n")
            _ = readAll(connection)
        }
        var ends: [Int32] = [0, 0]
        _ = try checking("pipe2") { unsafe clinux_pipe(&ends) }
        let reader = Descriptor(owning: ends[0])
        var failure: ClientError?
        do {
            let writer = Descriptor(owning: ends[1])
            let output = Output(writer.number)
            do {
                try command(daemon, output)
            } catch let error as ClientError {
                failure = error
            }
            try output.flush()
        }
        return (String(decoding: readAll(reader.number), as: UTF8.self), failure)
    }

    private func ask(
        _ names: Invocation.PictureNames, _ daemon: StubDaemon, _ output: Output
    ) throws {
        let presentation = Presentation(request: ColorOptions(), terminal: nil, file: nil)
        _ = try PictureCommand(
            request: ColorOptions(), names: names, presentation: presentation
        ).run(Connection(to: daemon.path), output, output)
    }

    /// A daemon that has no room for another client says so before it is asked anything.
    @Test func tellsARefusalThatComesUnasked() throws {
        let line = #"{"id":null,"error":{"code":"busy","message":"too many"}}"#
        let (text, failure) = try printed(by: line) { daemon, output in
            try ask(.given([]), daemon, output)
        }
        #expect(text.isEmpty)
        #expect(failure == .refused(ReplyError(code: "busy", message: "too many")))
        // An answer to nothing is none.
        let answer = try printed(by: sampleReply) { daemon, output in
            try ask(.given([]), daemon, output)
        }
        #expect(answer.failure == .malformedReply)
    }

    /// What is no answer may hold anything, and is not for a terminal to see.
    @Test(arguments: ["{\"\u{1b}]0;x\u{7}\"", "\u{1b}[2J", "{\"result\":{\"x\":\"\u{9b}2J\"}}"])
    func printsNothingThatIsNoAnswer(line: String) throws {
        let (text, failure) = try printed(by: line) { daemon, output in
            try ask(.given([[0x2F, 0x61]]), daemon, output)
        }
        #expect(text.isEmpty)
        #expect(failure == .malformedReply)

        let transition = try printed(by: line) { daemon, output in
            let options = TransitionOptions(from: .color(.black), to: .color(.white))
            let client = try Client(Connector(socket: daemon.path, startsDaemon: false))
            _ = try TransitionCommand(options: options, terminal: nil, file: nil)
                .run(client, output, output)
        }
        #expect(transition.text.isEmpty)
        #expect(transition.failure == .malformedReply)
    }

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
