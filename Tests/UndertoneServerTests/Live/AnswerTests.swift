import Glibc
import Testing
import UndertoneProtocol

extension LiveTests {
    @Suite struct AnswerTests {
        @Test func aPictureIsDecodedOnceAndThenKnown() throws {
            let daemon = try TestDaemon()
            let client = try daemon.client()
            let question = try daemon.question("a.png", id: "7")
            let first = try client.ask(question)
            #expect(first.hasPrefix(#"{"id":7,"result":{"image":{"width":1,"height":1,"#))
            #expect(first.contains(##""background":"#808080""##))
            #expect(try client.ask(question) == first)
            #expect(try daemon.counter("decodes") == 1)
            #expect(try daemon.counter("cacheHits") == 1)
            #expect(try daemon.counter("cacheEntries") == 1)
        }

        @Test func otherQuestionsAboutAKnownPictureNeedNoDecoding() throws {
            let daemon = try TestDaemon()
            let client = try daemon.client()
            let path = try daemon.picture("a.png")
            _ = try client.ask(#"{"path":"\#(path)"}"#)
            for contrast in [3, 4, 5, 6, 7, 8] {
                let reply = try client.ask(
                    #"{"path":"\#(path)","contrast":\#(contrast),"average":"linear"}"#)
                // Black on mid grey has 5.32.
                #expect(reply.contains(#""meets":\#(contrast <= 5)"#))
            }
            #expect(try daemon.counter("decodes") == 1)
            let regions = #"{"path":"\#(path)","regions":{"r":{"edge":"top","size":0.5}}}"#
            #expect(try client.ask(regions).contains(#""regions":{"r":{"opacity":1"#))
            #expect(try daemon.counter("decodes") == 2)
        }

        @Test func aChangedFileIsDecodedAgainWhateverItsTimeSays() throws {
            let daemon = try TestDaemon()
            let client = try daemon.client()
            let question = try daemon.question("a.png")
            _ = try client.ask(question)
            // The same size, and its modification time put back: only ctime tells.
            var status = stat()
            let path = daemon.directory + "/a.png"
            unsafe stat(path, &status)
            _ = try daemon.picture("a.png", content: "y")
            var times = [status.st_atim, status.st_mtim]
            unsafe utimensat(AT_FDCWD, path, &times, 0)
            usleep(40_000)
            _ = try client.ask(question)
            #expect(try daemon.counter("decodes") == 2)
        }

        /// Whoever asks after a change, on whichever connection, gets the new file's answer, though
        /// questions that were read together share a look at it.
        @Test func nobodyIsAnsweredFromBeforeAChange() throws {
            let daemon = try TestDaemon()
            let clients = try (0..<3).map { _ in try daemon.client() }
            let path = try daemon.picture("a.png")
            let question = #"{"path":"\#(path)"}"#
            for round in 1...10 {
                let lines = String(repeating: question + "\n", count: 5)
                // Each in its turn is the first to ask after a change: only its own look can tell.
                for turn in 0..<3 {
                    let client = clients[(round + turn) % 3]
                    try client.send(lines)
                    for _ in 0..<5 { #expect(try client.reply().contains("result")) }
                    if turn == 0 { #expect(try daemon.counter("decodes") == round) }
                }
                #expect(try daemon.counter("decodes") == round)
                // Another file in its place, and again old enough to be kept.
                try TestDaemon.write("y", to: daemon.directory + "/b.png")
                #expect(unsafe rename(daemon.directory + "/b.png", path) == 0)
                usleep(40_000)
            }
        }

        @Test func simultaneousQuestionsShareOneDecoding() throws {
            let daemon = try TestDaemon(TestDaemon.longDeadline)
            let question = try daemon.question("held.png")
            let clients = try (0..<10).map { _ in try daemon.client() }
            for client in clients { try client.send(question + "\n") }
            try daemon.waitFor("sharedDecodes", 9)
            try daemon.release("held.png")
            let replies = try clients.map { try $0.reply() }
            #expect(Set(replies).count == 1)
            #expect(replies[0].contains("result"))
            #expect(try daemon.counter("decodes") == 1)
            #expect(try daemon.counter("sharedDecodes") == 9)
        }

        @Test func repliesKeepTheOrderOfTheLinesWhateverTheirSpeed() throws {
            let daemon = try TestDaemon(["--jobs", "4"])
            let client = try daemon.client()
            let names = ["slow-300", "a", "slow-100", "b", "missing", "slow-50", "c"]
            var lines = ""
            for (index, name) in names.enumerated() {
                lines += try daemon.question(name + ".png", id: "\(index)") + "\n"
                lines += #"{"id":"s\#(index)","op":"status"}"# + "\nnonsense\n"
            }
            try client.send(lines)
            for (index, name) in names.enumerated() {
                let kind = name == "missing" ? "error" : "result"
                #expect(try client.reply().hasPrefix(#"{"id":\#(index),"\#(kind)""#))
                #expect(try client.reply().hasPrefix(#"{"id":"s\#(index)","result""#))
                #expect(try client.reply().hasPrefix(#"{"id":null,"error":{"code":"parse_error""#))
            }
        }

        @Test func aHalfClosedClientGetsEverythingAndThenTheEnd() throws {
            let daemon = try TestDaemon(TestDaemon.longDeadline)
            let client = try daemon.client()
            let held = try daemon.question("held.png", id: "1")
            let start = monotonicSeconds()
            try client.send(held + "\n" + #"{"id":2,"op":"status"}"#)
            client.halfClose()
            // One each 0.2 s, before the line that they belong to. Where the machine is busy they
            // are late, but not each of them, and never is one early.
            var blanks = 0
            var last = start
            var shortest = Double.infinity
            while blanks < 3 || shortest > 0.3 {
                let more = try #require(try client.bytes())
                try #require(more.allSatisfy { $0 == UInt8(ascii: " ") })
                let now = monotonicSeconds()
                blanks += more.count
                shortest = min(shortest, (now - last) / Double(more.count))
                last = now
            }
            #expect(Double(blanks) * 0.2 <= last - start)
            try daemon.release("held.png")
            let first = try client.reply().drop { $0 == " " }
            #expect(first.hasPrefix(#"{"id":1,"result""#))
            // The last line lacks its newline and is answered all the same.
            #expect(try client.reply().hasPrefix(#"{"id":2,"result""#))
            #expect(try client.line() == nil)
        }

        @Test func aClientThatIsNotHalfClosedGetsNoBlanks() throws {
            let daemon = try TestDaemon()
            let reply = try daemon.client().ask(try daemon.question("slow-500.png"))
            #expect(reply.hasPrefix("{"))
        }

        @Test func aLineMayComeByteByByte() throws {
            let daemon = try TestDaemon()
            let client = try daemon.client()
            for byte in try daemon.question("a.png", id: "1").utf8 + [10] {
                try client.send([byte])
            }
            #expect(try client.reply().hasPrefix(#"{"id":1,"result""#))
        }

        @Test func blankLinesGetNoReplyAndTooLongOnesGetOne() throws {
            let daemon = try TestDaemon()
            let client = try daemon.client()
            try client.send("\n  \r\n" + String(repeating: "x", count: 200_000) + "\n")
            #expect(try client.reply().contains("request_too_large"))
            #expect(try client.ask(#" {"id":1,"op":"status"} \#r"#).hasPrefix(#"{"id":1,"result""#))
        }

        @Test func idleWorkWaitsForNormalWork() throws {
            let daemon = try TestDaemon(["--jobs", "1"] + TestDaemon.longDeadline)
            let first = try daemon.client()
            let second = try daemon.client()
            let blocker = try daemon.question("held.blocker")
            let ahead = try daemon.picture("held.ahead")
            let wanted = try daemon.question("wanted.png")
            try first.send(blocker + "\n")
            try first.send(#"{"path":"\#(ahead)","priority":"idle"}"# + "\n")
            try daemon.waitFor("decodersQueued", 1)
            try second.send(wanted + "\n")
            try daemon.waitFor("decodersQueued", 2)
            try daemon.release("held.blocker")
            // It comes although the one that was asked for before it holds the only slot for ever.
            #expect(try second.reply().contains("result"))
            #expect(try first.reply().contains("result"))
            try daemon.release("held.ahead")
            #expect(try first.reply().contains("result"))
        }
    }
}
