import GLibSupport
import Glibc
import Testing

@testable import UndertoneClient

/// A source of numbered lines, which notes how many were taken.
private final class Lines: RequestSource {
    let descriptor: Int32 = -1
    private(set) var taken = 0
    private let count: Int
    private let length: Int

    init(_ count: Int, length: Int = 10) {
        self.count = count
        self.length = length
    }

    func next() -> Supply {
        if taken == count { return .end }
        taken += 1
        let number = String(taken)
        let line = number + String(repeating: " ", count: max(length - number.utf8.count, 0)) + "\n"
        return .requests(Array(line.utf8), count: 1)
    }

    func fill() {}
}

@Suite(.timeLimit(.minutes(1))) struct ExchangeTests {
    private func exchange(_ daemon: StubDaemon, window: Int = 4) throws -> Exchange {
        Exchange(connection: try Connection(to: daemon.path), window: window)
    }

    private func texts(_ exchange: Exchange, _ lines: Lines) throws -> [String] {
        var replies: [String] = []
        try exchange.run(
            lines, reply: { replies.append(String(decoding: $0, as: UTF8.self)) }, idle: {})
        return replies
    }

    @Test func keepsTheOrderAndTrimsBlanks() throws {
        let daemon = try StubDaemon { connection in
            _ = readAll(connection)
            writeAll(connection, "  one\n\n \ttwo \r\n   three\n")
        }
        #expect(try texts(exchange(daemon), Lines(3)) == ["one", "two", "three"])
    }

    @Test func sendsNoMoreThanTheWindow() throws {
        let lines = Lines(100)
        let daemon = try StubDaemon { connection in
            // Answers only once it has what fits the window and nothing more comes.
            var received = 0
            var answered = 0
            var piece = [UInt8](repeating: 0, count: 4096)
            while answered < 100 {
                var polled = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
                if unsafe poll(&polled, 1, 50) > 0 {
                    let count = unsafe read(connection, &piece, piece.count)
                    if count <= 0 { break }
                    received += piece[..<count].count { $0 == UInt8(ascii: "\n") }
                    if received - answered <= 4 { continue }
                    writeAll(connection, "overrun\n")
                    return
                }
                while answered < received {
                    answered += 1
                    writeAll(connection, "\(answered)\n")
                }
            }
            _ = readAll(connection)
        }
        #expect(try texts(exchange(daemon, window: 4), lines) == (1...100).map(String.init))
    }

    @Test func neverWaitsForADaemonThatWaitsForIt() throws {
        // Writes 8 MiB before it reads anything, while as much comes.
        let daemon = try StubDaemon { connection in
            let line = String(repeating: "x", count: 64 * 1024) + "\n"
            for _ in 0..<128 { writeAll(connection, line) }
            _ = readAll(connection)
        }
        let lines = Lines(128, length: 60_000)
        let replies = try texts(exchange(daemon, window: .max), lines)
        #expect(replies.count == 128)
        #expect(replies.allSatisfy { $0.utf8.count == 64 * 1024 })
    }

    @Test func tellsHowManyWereLeftUnanswered() throws {
        let daemon = try StubDaemon { connection in
            _ = readAll(connection)
            writeAll(connection, "one\ntw")
        }
        let exchange = try exchange(daemon)
        #expect(throws: ClientError.closed(unanswered: 2)) { try texts(exchange, Lines(3)) }
    }

    @Test func readsWhyTheDaemonHungUp() throws {
        let daemon = try StubDaemon { connection in
            writeAll(connection, "busy\n")
            // Ends with the client's lines unread, which resets the connection.
        }
        var replies: [String] = []
        let exchange = try exchange(daemon)
        usleep(50_000)
        #expect(throws: ClientError.self) {
            try exchange.run(
                Lines(3), reply: { replies.append(String(decoding: $0, as: UTF8.self)) }, idle: {})
        }
        #expect(replies == ["busy"])
    }

    @Test func endsAtOnceWithoutQuestions() throws {
        let daemon = try StubDaemon { connection in _ = readAll(connection) }
        #expect(try texts(exchange(daemon), Lines(0)).isEmpty)
    }

    @Test func passesErrorsOfItsOwnSideOn() throws {
        let daemon = try StubDaemon { connection in
            writeAll(connection, "one\n")
            _ = readAll(connection)
        }
        let exchange = try exchange(daemon)
        #expect(throws: OutputClosed.self) {
            try exchange.run(Lines(1), reply: { _ in throw OutputClosed() }, idle: {})
        }
    }
}
