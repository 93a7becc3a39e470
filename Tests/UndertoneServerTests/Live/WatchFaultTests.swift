import Glibc
import Testing

extension LiveTests {
    /// What a child that places watches can do wrong: it costs its own watch and nothing else.
    @Suite struct WatchFaultTests {
        private func watch(_ command: String, in daemon: TestDaemon) throws -> String {
            let directory = daemon.directory + "/" + command
            unsafe mkdir(directory, 0o700)
            return #"{"id":1,"op":"watch","request":{"path":"\#(directory)/a.png"}}"#
        }

        @Test(arguments: [
            ("segfault", "internal"), ("silent", "internal"), ("garbage", "internal"),
            ("decoded", "internal"), ("surplus-file", "internal"), ("too-few", "internal"),
            ("full", "busy"), ("hang", "timeout"), ("killed", "internal"),
        ])
        func aMisbehavingChildCostsItsWatch(command: String, code: String) throws {
            let daemon = try TestDaemon(["--deadline", "1"])
            let client = try daemon.client()
            _ = try client.ask(try daemon.question("b.png"))
            try daemon.waitFor("decodersRunning", 0)
            let before = daemon.descriptors
            try client.send(try watch(command, in: daemon) + "\n")
            try client.send(try daemon.question("a.png", id: "2") + "\n")
            #expect(try client.reply().hasPrefix(#"{"id":1,"error":{"code":"\#(code)""#))
            #expect(try client.reply().hasPrefix(#"{"id":2,"result""#))
            try daemon.waitFor("connectionsWatching", 0)
            try daemon.waitFor("decodersRunning", 0)
            #expect(try daemon.counter("zygoteRestarts") == 0)
            #expect(daemon.returnsTo(before))
            unsafe rmdir(daemon.directory + "/" + command)
        }

        @Test func aPictureIsNotBlamedForItsWatch() throws {
            let daemon = try TestDaemon()
            let client = try daemon.client()
            #expect(try client.ask(try watch("segfault", in: daemon)).contains("internal"))
            // Its path leads to no file, so only what the decoder says counts.
            let path = daemon.directory + "/segfault/a.png"
            #expect(try client.ask(#"{"path":"\#(path)"}"#).contains("result"))
            unsafe rmdir(daemon.directory + "/segfault")
        }

        @Test func aWatchWhosePictureHangsDoesNotBegin() throws {
            let daemon = try TestDaemon(["--deadline", "1"])
            let client = try daemon.client()
            let path = daemon.directory + "/fine/hang.png"
            let line = #"{"op":"watch","request":{"path":"\#(path)"}}"#
            #expect(try client.ask(line).contains(#""code":"timeout""#))
            #expect(try client.ask(#"{"op":"status"}"#).contains(#""connectionsWatching":0"#))
        }

        @Test func aZygoteThatDiesMeanwhileIsAskedAgain() throws {
            let daemon = try TestDaemon()
            let client = try daemon.client()
            #expect(try client.ask(try watch("zygote-dies", in: daemon)).contains("internal"))
            #expect(try daemon.counter("zygoteRestarts") > 0)
            let reply = try client.ask(try watch("fine", in: daemon))
            #expect(reply.hasPrefix(#"{"id":1,"result""#))
            for name in ["zygote-dies", "fine"] { unsafe rmdir(daemon.directory + "/" + name) }
        }
    }
}
