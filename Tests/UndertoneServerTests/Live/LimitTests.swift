import CLinux
import Glibc
import Testing
import UndertoneProtocol

extension LiveTests {
    /// What a rude client can and cannot do.
    @Suite struct LimitTests {
        @Test func theConnectionAfterTheLastGetsOneBusyLine() throws {
            let daemon = try TestDaemon()
            let clients = try (0..<Limits.connections).map { _ in try daemon.client() }
            #expect(try clients[255].ask(#"{"op":"status"}"#).contains(#""connections":256"#))
            let refused = try daemon.client()
            #expect(
                try refused.reply() == #"{"id":null,"error":{"code":"busy","#
                    + #""message":"there are 256 connections already"}}"#)
            #expect(try refused.line() == nil)
            #expect(try clients[0].ask(#"{"op":"status"}"#).contains(#""connectionsRefused":1"#))
            clients[7].halfClose()
            #expect(try clients[7].line() == nil)
            #expect(try daemon.client().ask(#"{"op":"status"}"#).contains("result"))
        }

        @Test func aClientWithTooMuchInFlightIsNotReadFrom() throws {
            let daemon = try TestDaemon(["--jobs", "1"] + TestDaemon.longDeadline)
            let client = try daemon.client()
            let line = Array((try daemon.question("held.png") + "\n").utf8)
            try client.send((0..<Limits.requestsInFlight).flatMap { _ in line })
            var looks = 0
            let areAllIn = try eventually {
                looks += 1
                return try daemon.counter("sharedDecodes") == Limits.requestsInFlight - 1
            }
            #expect(areAllIn)
            // Nothing of this is taken while the 64 wait, but for what the socket itself holds.
            let flood = [UInt8](repeating: UInt8(ascii: " "), count: 8 << 20)
            let sent = client.sendWhatFits(flood, idleMilliseconds: 100)
            #expect(sent < 1 << 20)
            #expect(try daemon.counter("requests") == Limits.requestsInFlight + looks + 1)
            try daemon.release("held.png")
            for _ in 0..<Limits.requestsInFlight { #expect(try client.reply().contains("result")) }
            #expect(try daemon.counter("decodes") == 1)
        }

        @Test func aHundredThousandLinesAtOnceAreAllAnsweredInOrder() throws {
            let daemon = try TestDaemon()
            let client = try daemon.client()
            let path = try daemon.picture("a.png")
            _ = try client.ask(#"{"path":"\#(path)"}"#)
            let count = 100_000
            let sender = try Sender {
                for start in stride(from: 0, to: count, by: 1000) {
                    let lines = (start..<start + 1000).map { #"{"id":\#($0),"path":"\#(path)"}"# }
                    try client.send(lines.joined(separator: "\n") + "\n")
                }
            }
            for number in 0..<count {
                let reply = try client.reply()
                if !reply.hasPrefix(#"{"id":\#(number),"result""#) {
                    Issue.record("reply \(number) is \(reply.prefix(80))")
                    return
                }
            }
            sender.join()
        }

        /// A client that takes nothing is left alone with its lines, and others don't notice.
        @Test func aClientThatReadsNothingCostsABoundedAmount() throws {
            let daemon = try TestDaemon()
            let rude = try daemon.client()
            let polite = try daemon.client()
            let path = try daemon.picture("a.png")
            let question = #"{"path":"\#(path)"}"#
            _ = try polite.ask(question)
            let before = daemon.residentKiB
            let line = Array((question + "\n").utf8)
            let sent = rude.sendWhatFits((0..<200_000).flatMap { _ in line })
            #expect(sent < line.count * 200_000)
            #expect(daemon.hasGrown(since: before) < 4096)
            #expect(try polite.ask(question).contains("result"))
        }

        @Test func halfLinesOfManyClientsCostLittle() throws {
            let daemon = try TestDaemon()
            _ = try daemon.client().ask(#"{"op":"status"}"#)
            let before = daemon.residentKiB
            let clients = try (0..<200).map { _ in try daemon.client() }
            for client in clients { try client.send(#"{"op":"sta"#) }
            #expect(try daemon.client().ask(#"{"op":"status"}"#).contains("result"))
            #expect(daemon.hasGrown(since: before) < 200 * 16)
            for client in clients { try client.send("tus\"}\n") }
            for client in clients { #expect(try client.reply().contains("result")) }
        }

        @Test func aHugeLineIsSkippedWithoutBeingKept() throws {
            let daemon = try TestDaemon()
            let client = try daemon.client()
            _ = try client.ask(#"{"op":"status"}"#)
            let before = daemon.residentKiB
            let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
            for _ in 0..<64 { try client.send(piece) }
            #expect(daemon.hasGrown(since: before) < 2048)
            #expect(try client.ask("").contains("request_too_large"))
            #expect(try client.ask(#"{"op":"status"}"#).contains("result"))
        }

        @Test func aHangUpCancelsWhatWasNotBegunAndKillsWhatWas() throws {
            let daemon = try TestDaemon(["--jobs", "1"] + TestDaemon.longDeadline)
            var client: TestClient? = try daemon.client()
            let lines = try (0..<10).map { try daemon.question("hang.\($0)") }
            try client?.send(lines.joined(separator: "\n") + "\n")
            try daemon.waitFor("decodersRunning", 1)
            try daemon.waitFor("decodersQueued", 9)
            client = nil
            try daemon.waitFor("decodersQueued", 0)
            try daemon.waitFor("decodersRunning", 0)
            #expect(try daemon.counter("decodes") == 1)
            #expect(try daemon.counter("timeouts") == 0)
        }

        @Test func aSharedDecodingOutlivesTheClientThatBeganIt() throws {
            let daemon = try TestDaemon(["--jobs", "1"] + TestDaemon.longDeadline)
            var first: TestClient? = try daemon.client()
            let second = try daemon.client()
            let question = try daemon.question("held.png")
            try first?.send(question + "\n")
            try daemon.waitFor("decodersRunning", 1)
            try second.send(question + "\n")
            try daemon.waitFor("sharedDecodes", 1)
            first = nil
            // The second's and this look's own: it has noticed.
            try daemon.waitFor("connections", 2)
            try daemon.release("held.png")
            #expect(try second.reply().contains("result"))
            #expect(try daemon.counter("decodes") == 1)
        }

        @Test func aManyQuestionsClientDoesNotDelayAnother() throws {
            let daemon = try TestDaemon(["--jobs", "2"] + TestDaemon.longDeadline)
            let greedy = try daemon.client()
            let lines = try (0..<60).map { number in
                let path = daemon.directory + "/held.\(number)"
                try TestDaemon.write("x", to: path)
                return #"{"path":"\#(path)"}"#
            }
            let single = try daemon.question("a.png")
            try greedy.send(lines.joined(separator: "\n") + "\n")
            try daemon.waitFor("decodersQueued", 58)
            let modest = try daemon.client()
            try modest.send(single + "\n")
            try daemon.waitFor("decodersQueued", 59)
            // Two pictures of the greedy client have to end, and of those that wait none begins to
            // before the other client's turn, or it would take its slot for ever.
            try daemon.release("held.0")
            try daemon.release("held.1")
            #expect(try modest.reply().contains("result"))
        }

        @Test func theDaemonHasOneThreadUnderLoad() throws {
            let daemon = try TestDaemon(["--jobs", "4"])
            let clients = try (0..<32).map { _ in try daemon.client() }
            let slow = try (0..<8).map { try daemon.question("slow-50.\($0)") }
            for (index, client) in clients.enumerated() {
                try client.send(slow[index % 8] + "\n{\"op\":\"status\"}\nnonsense\n")
            }
            var most = daemon.threads
            for client in clients {
                for _ in 0..<3 { _ = try client.reply() }
                most = max(most, daemon.threads)
            }
            #expect(most == 1)
        }

        @Test func withoutDescriptorsClientsAreTurnedAwayAndLaterServed() throws {
            let daemon = try TestDaemon()
            var clients = [try daemon.client()]
            _ = try clients[0].ask(#"{"op":"status"}"#)
            try daemon.waitForZygotes(1)
            // Two more are below the limit.
            let used = daemon.descriptors
            let limit = (0...).lazy.filter { !used.contains($0) }.prefix(2).max()! + 1
            let setter = try TestProcess(
                "/usr/bin/prlimit", ["--pid", "\(daemon.process.pid)", "--nofile=\(limit)"])
            #expect(setter.wait() == 0)
            for _ in 0..<5 { clients.append(try daemon.client()) }
            #expect(try clients[1].ask(#"{"op":"status"}"#).contains("result"))
            #expect(try clients[2].ask(#"{"op":"status"}"#).contains("result"))
            for client in clients[3...] { #expect(try client.reply().contains("busy")) }
            clients.removeLast(4)
            #expect(
                eventually {
                    let reply = try? daemon.client().ask(#"{"op":"status"}"#)
                    return reply?.contains("result") == true
                })
        }
    }
}

extension TestDaemon {
    /// Memory in use, in KiB.
    var residentKiB: Int {
        let pages = Self.read("/proc/\(process.pid)/statm").split(separator: " ")
        return (pages.count > 1 ? Int(pages[1]) ?? 0 : 0) * 4
    }

    /// By how many KiB memory in use has grown; 0 under a sanitizer, which keeps what was freed.
    func hasGrown(since residentKiB: Int) -> Int {
        clinux_is_sanitized() != 0 ? 0 : self.residentKiB - residentKiB
    }
}

/// A thread that sends while the test receives.
final class Sender: @unchecked Sendable {
    private var thread = pthread_t()
    private let body: () throws -> Void

    init(_ body: @escaping () throws -> Void) throws {
        self.body = body
        let failure = unsafe pthread_create(
            &thread, nil,
            { pointer in
                let sender = unsafe Unmanaged<Sender>.fromOpaque(pointer!).takeRetainedValue()
                try? sender.body()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        guard failure == 0 else { throw TestFailure("no thread") }
    }

    func join() {
        pthread_join(thread, nil)
    }
}
