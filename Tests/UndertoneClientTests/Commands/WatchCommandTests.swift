import CLinux
import GLibSupport
import Glibc
import Testing

@testable import UndertoneClient

@Suite(.timeLimit(.minutes(1))) struct WatchCommandTests {
    /// A watch of a picture whose daemon a script plays, with a pipe for what it prints.
    private struct Watch {
        let daemon: StubDaemon
        /// Nil once nobody reads, or writes.
        var reader, writer: SharedDescriptor?

        init(_ script: @escaping @Sendable (Int32) -> Void) throws {
            daemon = try StubDaemon(script)
            var ends: [Int32] = [0, 0]
            _ = try checking("pipe2") { unsafe clinux_pipe(&ends) }
            reader = SharedDescriptor(Descriptor(owning: ends[0]))
            writer = SharedDescriptor(Descriptor(owning: ends[1]))
        }

        func run(_ terminal: TerminalPalette? = nil) throws -> Bool {
            let presentation = Presentation(
                request: PaletteOptions(), terminal: terminal, file: nil)
            let output = Output(writer?.number ?? -1)
            return try WatchCommand(
                request: PaletteOptions(), name: Array("/a.png".utf8), presentation: presentation
            ).run(Connection(to: daemon.path), output, output)
        }

        mutating func printed() -> String {
            writer = nil
            return String(decoding: reader.map { readAll($0.number) } ?? [], as: UTF8.self)
        }
    }

    private static let events = [
        SampleReplies.palette,
        #"{"event":"error","error":{"code":"not_found","message":"gone"}}"#,
        SampleReplies.palette.replacing(#"{"result""#, with: #"{"event":"changed","result""#),
    ]

    @Test func tellsEachEventAsItComes() throws {
        var watch = try Watch { connection in
            var piece = [UInt8](repeating: 0, count: 4096)
            let count = unsafe read(connection, &piece, piece.count)
            let asked = String(decoding: piece[..<max(count, 0)], as: UTF8.self)
            guard asked == #"{"op":"watch","request":{"op":"palette","path":"/a.png"}}"# + "\n"
            else { return }
            for event in WatchCommandTests.events { writeAll(connection, "  " + event + "\n") }
        }
        #expect(throws: ClientError.closed(unanswered: 0)) { try watch.run() }
        let lines = watch.printed().split(separator: "\n")
        #expect(
            lines
                == WatchCommandTests.events.map { #"{"path":"/a.png","# + $0.dropFirst() })
    }

    /// What is no answer may hold anything, and is not for a terminal to see.
    @Test(arguments: ["{\"\u{1b}]0;x\u{7}\"", "\u{1b}[2J", "{\"result\":{\"x\":\"\u{9b}2J\"}}"])
    func printsNothingThatIsNoAnswer(line: String) throws {
        var watch = try Watch { connection in
            var piece = [UInt8](repeating: 0, count: 4096)
            unsafe _ = read(connection, &piece, piece.count)
            writeAll(connection, line + "\n")
        }
        #expect(throws: ClientError.malformedReply) { try watch.run() }
        #expect(watch.printed().isEmpty)
    }

    @Test func drawsEachEventOnATerminal() throws {
        var watch = try Watch { connection in
            for event in WatchCommandTests.events { writeAll(connection, event + "\n") }
            _ = shutdown(connection, Int32(SHUT_WR))
            _ = readAll(connection)
        }
        #expect(throws: ClientError.closed(unanswered: 0)) { try watch.run(TerminalPalette.none) }
        let names = watch.printed().split(separator: "\n").filter { $0.contains("/a.png") }
        #expect(names == ["/a.png", "undertone: /a.png: gone", "/a.png"])
    }

    @Test func goesOnAfterAnErrorOfThePicture() throws {
        var watch = try Watch { connection in
            writeAll(connection, #"{"error":{"code":"not_found","message":"x"}}"# + "\n")
            writeAll(connection, #"{"event":"newer","anything":1}"# + "\n")
            writeAll(connection, WatchCommandTests.events[2] + "\n")
        }
        #expect(throws: ClientError.closed(unanswered: 0)) { try watch.run() }
        let lines = watch.printed().split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.last?.contains(#""event":"changed""#) == true)
    }

    @Test func anErrorOfThePictureIsNoReasonToEnd() throws {
        let watch = try Watch { connection in
            writeAll(connection, WatchCommandTests.events[0] + "\n")
            writeAll(connection, WatchCommandTests.events[1] + "\n")
        }
        #expect(throws: ClientError.closed(unanswered: 0)) { try watch.run() }
    }

    @Test(arguments: ["shutting_down", "watch_unsupported", "timeout"])
    func saysWhyTheDaemonEndsAWatch(code: String) throws {
        var watch = try Watch { connection in
            writeAll(connection, WatchCommandTests.events[0] + "\n")
            writeAll(
                connection,
                #"{"event":"error","error":{"code":"\#(code)","message":"x"}}"# + "\n")
        }
        #expect(try !watch.run())
        #expect(watch.printed().contains(code))
    }

    @Test(arguments: ["invalid_request", "watch_unsupported", "unknown_op", "timeout"])
    func endsWhereTheDaemonDoesNotWatch(code: String) throws {
        var watch = try Watch { connection in
            writeAll(connection, #"{"error":{"code":"\#(code)","message":"x"}}"# + "\n")
            _ = readAll(connection)
        }
        #expect(try !watch.run())
        #expect(watch.printed().contains(code))
    }

    @Test func endsWellOnceNobodyReads() throws {
        // No event is needed for it: that the pipe has no other end is enough.
        var silent = try Watch { connection in _ = readAll(connection) }
        silent.reader = nil
        #expect(try silent.run())
        // Nor is a write that finds out an error, once the signal is none.
        _ = signal(SIGPIPE, SIG_IGN)
        var talking = try Watch { connection in
            writeAll(connection, WatchCommandTests.events[0] + "\n")
            _ = readAll(connection)
        }
        talking.reader = nil
        #expect(try talking.run())
    }
}
