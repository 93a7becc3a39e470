import GLibSupport
import Glibc
import Testing

@testable import UndertoneClient

@Suite(.timeLimit(.minutes(1))) struct ClientTests {
    @Test func asksOneQuestionAtATime() throws {
        let daemon = try StubDaemon { connection in
            var piece = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = unsafe read(connection, &piece, piece.count)
                if count <= 0 { return }
                let isColor =
                    String(decoding: piece[..<count], as: UTF8.self) == "{\"path\":\"/a\"}\n"
                writeAll(
                    connection, isColor ? sampleReply + "\n" : #"{"error":{"code":"x"}}"# + "\n")
            }
        }
        let client = try Client(Connector(socket: daemon.path, startsDaemon: false))
        for _ in 0..<3 {
            #expect(try client.color(Array("/a".utf8)).image.width == 4000)
            #expect(throws: ClientError.refused(ReplyError(code: "x", message: "x"))) {
                try client.color(Array("/b".utf8))
            }
        }
    }

    /// What was answered is not asked again.
    @Test func doesNotAskASuccessorOnceItHasHeard() throws {
        let daemon = try StubDaemon { connection in
            writeAll(connection, "1\n" + #"{"error":{"code":"shutting_down"}}"# + "\n")
        }
        let connection = try Connection(to: daemon.path)
        connection.reconnect = { () throws(ClientError) in throw .notRunning }
        connection.enqueue(Array("a\nb\n".utf8))
        var lines: [String] = []
        while !connection.isAtEnd {
            try connection.wait()
            while let line = try connection.nextLine() {
                lines.append(String(decoding: line, as: UTF8.self))
            }
        }
        #expect(lines == ["1", #"{"error":{"code":"shutting_down"}}"#])
    }

    @Test func tellsAnEndFromAnAnswer() throws {
        let daemon = try StubDaemon { connection in writeAll(connection, #"{"result":{"#) }
        let client = try Client(Connector(socket: daemon.path, startsDaemon: false))
        #expect(throws: ClientError.closed(unanswered: 1)) { try client.color([0x2F]) }
    }

    /// One that is told to end while it is asked says so, or nothing.
    @Test(arguments: ["", #"{"error":{"code":"shutting_down","message":"x"}}"# + "\n"])
    func asksTheSuccessorOfADaemonThatEnds(farewell: String) throws {
        let successor = try StubDaemon { connection in
            var piece = [UInt8](repeating: 0, count: 4096)
            let count = unsafe read(connection, &piece, piece.count)
            guard String(decoding: piece[..<max(count, 0)], as: UTF8.self) == "{\"path\":\"/a\"}\n"
            else { return }
            writeAll(connection, sampleReply + "\n")
        }
        let ending = try StubDaemon { connection in
            var piece = [UInt8](repeating: 0, count: 4096)
            unsafe _ = read(connection, &piece, piece.count)
            writeAll(connection, farewell)
        }
        // The place of the one is the other's as soon as it has been found.
        let first = try Connection(to: ending.path)
        var asked = 0
        first.reconnect = { () throws(ClientError) in
            asked += 1
            return try Connector(socket: successor.path, startsDaemon: false).connect()
        }
        first.enqueue(Array("{\"path\":\"/a\"}\n".utf8))
        var reply: [UInt8]?
        while reply == nil, !first.isAtEnd {
            try first.wait()
            reply = try first.nextLine()
        }
        #expect(reply.map { String(decoding: $0, as: UTF8.self) } == sampleReply)
        #expect(asked == 1)
    }

    /// Patience is for the whole reply: what keeps a finished client waiting is no part of it.
    @Test(arguments: [" ", "\n", " {"])
    func losesPatienceWhereNothingButBlanksComes(piece: String) throws {
        let daemon = try StubDaemon { connection in
            // Until the client has gone.
            while unsafe send(connection, piece, piece.utf8.count, Int32(MSG_NOSIGNAL)) > 0 {
                usleep(1000)
            }
        }
        let client = try Client(Connector(socket: daemon.path, startsDaemon: false))
        #expect(throws: ClientError.silent) {
            try client.askForState(#"{"op":"status"}"#, patience: 0.1)
        }
    }

    @Test func takesWhatHasComeHoweverLateItIs() throws {
        let daemon = try StubDaemon { connection in
            writeAll(connection, #"  {"result":{}}"# + "\n")
            _ = readAll(connection)
        }
        let client = try Client(Connector(socket: daemon.path, startsDaemon: false))
        // As long as this process is not run, the reply waits.
        var polled = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(unsafe poll(&polled, 1, -1) == 1)
        #expect(try client.askForState(#"{"op":"status"}"#, patience: -1).last == 0x7D)
    }

    @Test func refusesAnEndlessLine() throws {
        let daemon = try StubDaemon { connection in
            let text = String(repeating: "x", count: 1 << 20)
            for _ in 0..<20 { writeAll(connection, text) }
        }
        let client = try Client(Connector(socket: daemon.path, startsDaemon: false))
        #expect(throws: ClientError.malformedReply) { try client.color([0x2F]) }
    }

    @Test func saysThatNothingListens() throws {
        let path = Array("/tmp/ut-stub-\(getpid())-absent".utf8)
        #expect(throws: ClientError.notRunning) {
            try Client(Connector(socket: path, startsDaemon: false))
        }
        // A socket whose daemon has gone.
        let stale = try UnixSocket.stream(nonBlocking: false)
        try UnixSocket.bind(stale, to: UnixSocketAddress(path))
        #expect(throws: ClientError.notRunning) {
            try Client(Connector(socket: path, startsDaemon: false))
        }
        _ = unsafe unlink(path.cString)
    }

    @Test func refusesPathsThatNoSocketHas() {
        let long = Array("/".utf8) + Array(repeating: UInt8(ascii: "a"), count: 107)
        #expect(throws: ClientError.noSocket(.tooLong(long))) {
            try Connector(socket: long).connect()
        }
        #expect(throws: ClientError.noSocket(.relative([0x61]))) {
            try Connector(socket: [0x61]).connect()
        }
        #expect(throws: ClientError.notRunning) {
            try Connector(socket: Array("/proc/self/exe/x".utf8), startsDaemon: false).connect()
        }
    }
}
