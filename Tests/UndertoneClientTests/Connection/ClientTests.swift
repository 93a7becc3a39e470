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

    @Test func tellsAnEndFromAnAnswer() throws {
        let daemon = try StubDaemon { connection in writeAll(connection, #"{"result":{"#) }
        let client = try Client(Connector(socket: daemon.path, startsDaemon: false))
        #expect(throws: ClientError.closed(unanswered: 1)) { try client.color([0x2F]) }
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
