import CLinux
import GLibSupport
import Glibc
import Testing

extension LiveTests {
    /// From start to end: the socket, its lock, signals and the service manager.
    @Suite struct LifecycleTests {
        @Test func aSignalLetsWhatIsInFlightFinishAndRemovesTheSocket() throws {
            let daemon = try TestDaemon(TestDaemon.longDeadline)
            let busy = try daemon.client()
            let idle = try daemon.client()
            _ = try idle.ask(#"{"op":"status"}"#)
            let held = try daemon.question("held.png", id: "1")
            try busy.send(held + "\n")
            try daemon.waitFor("decodersRunning", 1)
            daemon.process.signal(SIGTERM)
            #expect(try idle.line() == nil)
            try busy.send(#"{"id":2,"op":"status"}"# + "\n")
            try daemon.release("held.png")
            #expect(try busy.reply().hasPrefix(#"{"id":1,"result""#))
            #expect(
                try busy.reply() == #"{"id":2,"error":{"code":"shutting_down","#
                    + #""message":"the daemon is shutting down"}}"#)
            #expect(try busy.line() == nil)
            #expect(daemon.process.wait() == 0)
            #expect(unsafe access(daemon.socket, F_OK) == -1)
        }

        @Test(arguments: ["required", "best-effort"])
        func theDecoderIsToldHowItsSandboxIsTo(hold requirement: String) throws {
            let options = requirement == "required" ? [] : ["--sandbox", requirement]
            let daemon = try TestDaemon(["--deadline", "40"] + options)
            try daemon.waitForZygotes(1)
            let arguments =
                "--profile\0raster\0--sandbox\0\(requirement)\0--deadline\040\0"
            // Until the program is in place, the child's command line is the daemon's own.
            #expect(
                eventually {
                    daemon.children().contains {
                        TestDaemon.read("/proc/\($0)/cmdline").hasSuffix(arguments)
                    }
                })
        }

        @Test(arguments: [SIGTERM, SIGINT])
        func anIdleDaemonEndsAtOnceAndItsZygoteWithIt(signal: Int32) throws {
            // What is asked may take twice as long as the end is waited for here.
            let daemon = try TestDaemon(TestDaemon.longDeadline)
            _ = try daemon.client().ask(#"{"op":"status"}"#)
            try daemon.waitForZygotes(1)
            let zygote = daemon.children()[0]
            daemon.process.signal(signal)
            #expect(daemon.process.wait() == 0)
            #expect(eventually { !isRunning(zygote) })
        }

        @Test func waitingForAHungPictureEndsWithTheDeadline() throws {
            let daemon = try TestDaemon(["--deadline", "1"])
            let client = try daemon.client()
            try client.send(try daemon.question("hang.png") + "\n")
            try daemon.waitFor("decodersRunning", 1)
            daemon.process.signal(SIGTERM)
            #expect(try client.reply().contains("timeout"))
            #expect(daemon.process.wait() == 0)
        }

        /// With one slot and a second for each, thirty take longer than there is time to end, also
        /// where some are over before the signal comes.
        @Test func whatIsNotAnsweredInTimeForTheEndIsRefused() throws {
            let daemon = try TestDaemon(["--deadline", "1", "--jobs", "1"])
            let client = try daemon.client()
            var lines = ""
            for number in 0..<30 {
                let path = daemon.directory + "/hang.\(number)"
                try TestDaemon.write("x", to: path)
                lines += #"{"id":\#(number),"path":"\#(path)"}"# + "\n"
            }
            try client.send(lines)
            try daemon.waitFor("cacheMisses", 30)
            daemon.process.signal(SIGTERM)
            let replies = try (0..<30).map { _ in try client.reply() }
            for (number, reply) in replies.enumerated() {
                #expect(reply.hasPrefix(#"{"id":\#(number),"error":{"code":""#))
            }
            #expect(replies[0].contains(#""code":"timeout""#))
            #expect(replies[29].contains(#""code":"shutting_down""#))
            #expect(try client.line() == nil)
            #expect(daemon.process.wait() == 0)
        }

        /// The decoder never tells that it is ready.
        @Test func aStatusThatWaitsForTheDecoderIsAnsweredAllTheSame() throws {
            let daemon = try TestDaemon(environment: ["UNDERTONE_TEST_ZYGOTE": "mute"])
            let status = try daemon.client().ask(#"{"op":"status"}"#)
            #expect(status.contains(#""formats":null"#))
            #expect(status.contains(#""pid":\#(daemon.process.pid),"#))
        }

        @Test func aKilledDaemonTakesItsZygoteAlongAndLeavesAStaleSocket() throws {
            let daemon = try TestDaemon()
            _ = try daemon.client().ask(#"{"op":"status"}"#)
            try daemon.waitForZygotes(1)
            let zygote = daemon.children()[0]
            daemon.process.signal(SIGKILL)
            #expect(daemon.process.wait() == -SIGKILL)
            #expect(eventually { !isRunning(zygote) })
            #expect(unsafe access(daemon.socket, F_OK) == 0)
            let second = try TestProcess(
                "undertoned",
                [
                    "--socket", daemon.socket, "--decoder",
                    TestProcess.buildDirectory + "/undertone-test-decoder",
                ])
            #expect(try daemon.client().ask(#"{"op":"status"}"#).contains("result"))
            second.signal(SIGTERM)
            #expect(second.wait() == 0)
        }

        @Test func aSecondDaemonSaysSoAndLeavesTheFirstAlone() throws {
            let daemon = try TestDaemon()
            _ = try daemon.client().ask(#"{"op":"status"}"#)
            let second = try TestProcess(
                "undertoned", ["--socket", daemon.socket], standardError: daemon.log + "2")
            #expect(second.wait() == 1)
            #expect(TestDaemon.read(daemon.log + "2").contains("already running"))
            #expect(try daemon.client().ask(#"{"op":"status"}"#).contains("result"))
        }

        @Test func ofTwentySimultaneousStartsExactlyOneRuns() throws {
            let directory = try TestDaemon.makeDirectory()
            let decoder = TestProcess.buildDirectory + "/undertone-test-decoder"
            let arguments = ["--socket", directory + "/u.sock", "--decoder", decoder]
            let processes = try (0..<20).map { _ in
                try TestProcess("undertoned", arguments, standardError: "/dev/null")
            }
            let client = try TestClient(directory + "/u.sock")
            #expect(try client.ask(#"{"op":"status"}"#).contains("result"))
            var ended: [TestProcess] = []
            #expect(
                eventually {
                    ended = processes.filter { $0.wait(seconds: 0) != nil }
                    return ended.count >= 19
                })
            #expect(ended.count == 19)
            #expect(ended.allSatisfy { $0.wait() == 1 })
            for process in processes { process.signal(SIGTERM) }
            unsafe unlink(directory + "/u.sock.lock")
            for process in processes { _ = process.wait() }
            #expect(unsafe rmdir(directory) == 0)
        }

        @Test func aSocketThatTookItsPlaceIsNotRemoved() throws {
            let daemon = try TestDaemon()
            _ = try daemon.client().ask(#"{"op":"status"}"#)
            unsafe unlink(daemon.socket)
            try TestDaemon.write("mine", to: daemon.socket)
            daemon.process.signal(SIGTERM)
            #expect(daemon.process.wait() == 0)
            #expect(TestDaemon.read(daemon.socket) == "mine")
        }

        @Test func theSocketIsPrivateWhateverTheUmask() throws {
            let daemon = try TestDaemon()
            _ = try daemon.client().ask(#"{"op":"status"}"#)
            var status = stat()
            #expect(unsafe stat(daemon.socket, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
            #expect(unsafe stat(daemon.socket + ".lock", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
        }

        @Test func theDefaultPlaceIsMadeInTheRuntimeDirectory() throws {
            let directory = try TestDaemon.makeDirectory()
            let process = try TestProcess(
                "undertoned", environment: ["XDG_RUNTIME_DIR": directory])
            let client = try TestClient(directory + "/undertone/undertone.sock")
            #expect(try client.ask(#"{"op":"status"}"#).contains("result"))
            var status = stat()
            #expect(unsafe stat(directory + "/undertone", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o700)
            process.signal(SIGTERM)
            #expect(process.wait() == 0)
            unsafe unlink(directory + "/undertone/undertone.sock.lock")
            unsafe rmdir(directory + "/undertone")
            #expect(unsafe rmdir(directory) == 0)
        }

        @Test func aPassedSocketIsListenedOnAndNotRemoved() throws {
            let directory = try TestDaemon.makeDirectory()
            let path = directory + "/passed.sock"
            let listener = try UnixSocket.stream(nonBlocking: false)
            try UnixSocket.bind(listener, to: UnixSocketAddress(Array(path.utf8)))
            listen(listener.number, 8)
            // The shell's own number becomes the daemon's by exec.
            let script = "LISTEN_PID=$$ exec \(TestProcess.buildDirectory)/undertoned"
            let process = try TestProcess(
                "/bin/sh", ["-c", script],
                environment: ["LISTEN_FDS": "1", "XDG_RUNTIME_DIR": directory],
                descriptors: [(listener.number, 3)])
            #expect(try TestClient(path).ask(#"{"op":"status"}"#).contains("result"))
            process.signal(SIGTERM)
            #expect(process.wait() == 0)
            #expect(unsafe unlink(path) == 0)
            #expect(unsafe rmdir(directory) == 0)
        }

        @Test(.enabled(if: getuid() == 0, "only root can be another user"))
        func anotherUserIsHungUpOn() throws {
            let directory = try TestDaemon.makeDirectory()
            let path = directory + "/passed.sock"
            let listener = try UnixSocket.stream(nonBlocking: false)
            try UnixSocket.bind(listener, to: UnixSocketAddress(Array(path.utf8)))
            listen(listener.number, 8)
            unsafe chmod(path, 0o666)
            unsafe chmod(directory, 0o755)
            let script = "LISTEN_PID=$$ exec \(TestProcess.buildDirectory)/undertoned"
            let process = try TestProcess(
                "/bin/sh", ["-c", script], environment: ["LISTEN_FDS": "1"],
                descriptors: [(listener.number, 3)], standardError: directory + "/log")
            #expect(try TestClient(path).ask(#"{"op":"status"}"#).contains("result"))
            let stranger = try asAnotherUser { try TestClient(path) }
            // It asks nothing: the daemon may be gone from it before it could.
            #expect(try stranger.line() == nil)
            #expect(
                eventually { TestDaemon.read(directory + "/log").contains("another user") })
            process.signal(SIGTERM)
            #expect(process.wait() == 0)
            for name in TestDaemon.entries(directory) { unsafe unlink(directory + "/" + name) }
            unsafe rmdir(directory)
        }

        /// Runs a closure with another effective user. The raw call changes this thread alone,
        /// where the C library's changes the whole process.
        private func asAnotherUser<Result>(_ body: () throws -> Result) throws -> Result {
            let setresuid = 117
            guard clinux_system_call(setresuid, -1, 65534, -1, 0, 0, 0) == 0 else {
                throw TestFailure("the user cannot be changed")
            }
            defer { _ = clinux_system_call(setresuid, -1, 0, -1, 0, 0, 0) }
            return try body()
        }

        @Test func theServiceManagerIsToldOfTheStartAndTheEnd() throws {
            let directory = try TestDaemon.makeDirectory()
            let path = directory + "/notify"
            let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            let receiver = Descriptor(owning: number)
            try UnixSocket.bind(receiver, to: UnixSocketAddress(Array(path.utf8)))
            var time = timeval(tv_sec: Int(patience), tv_usec: 0)
            unsafe setsockopt(
                number, SOL_SOCKET, SO_RCVTIMEO, &time,
                socklen_t(MemoryLayout<timeval>.size))
            let daemon = try TestDaemon(environment: ["NOTIFY_SOCKET": path])
            #expect(receive(number) == "READY=1")
            // Ready means that connecting works at once.
            #expect(try daemon.client().ask(#"{"op":"status"}"#).contains("result"))
            daemon.process.signal(SIGTERM)
            #expect(receive(number) == "STOPPING=1")
            #expect(daemon.process.wait() == 0)
            unsafe unlink(path)
            unsafe rmdir(directory)
        }

        private func receive(_ descriptor: Int32) -> String {
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }

        @Test func theDaemonGivesUpPrivilegesAndCoreFiles() throws {
            let directory = try TestDaemon.makeDirectory()
            // Where core files are off anyway, it would have nothing to give up.
            let script = """
                ulimit -S -c "$(ulimit -H -c)"; ulimit -c unlimited 2>/dev/null
                ulimit -c >"$1/limit"; exec "$0" --socket "$1/u.sock"
                """
            let process = try TestProcess(
                "/bin/sh", ["-c", script, TestProcess.buildDirectory + "/undertoned", directory])
            let client = try TestClient(directory + "/u.sock")
            #expect(try client.ask(#"{"op":"status"}"#).contains("result"))
            let status = TestDaemon.read("/proc/\(process.pid)/status")
            #expect(status.contains("NoNewPrivs:\t1"))
            let limits = TestDaemon.read("/proc/\(process.pid)/limits")
            let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
            #expect(core?.split(separator: " ").dropFirst(4).first == "0")
            if TestDaemon.read(directory + "/limit") == "0\n" {
                print("this user may have no core files: that they are given up is not tested")
            }
            process.signal(SIGTERM)
            #expect(process.wait() == 0)
            for name in TestDaemon.entries(directory) { unsafe unlink(directory + "/" + name) }
            unsafe rmdir(directory)
        }

        @Test(
            arguments: [
                ("--jobs=0", 2), ("--nonsense", 2), ("argument", 2), ("--log-level=loud", 2),
                ("--version", 0), ("--help", 0), ("--socket=relative", 1),
                ("--socket=/" + String(repeating: "x", count: 107), 1),
            ] as [(String, Int32)])
        func theCommandLineDecidesTheExitStatus(argument: String, status: Int32) throws {
            let process = try TestProcess("undertoned", [argument], standardError: "/dev/null")
            #expect(process.wait() == status)
        }

        @Test func withoutAPlaceForTheSocketItRefusesClearly() throws {
            let directory = try TestDaemon.makeDirectory()
            let process = try TestProcess("undertoned", standardError: directory + "/log")
            // Only where the machine has no runtime directory of this user, as in a container.
            if !SocketLocation.isPrivateDirectory(Array("/run/user/\(getuid())".utf8)) {
                #expect(process.wait() == 1)
                #expect(TestDaemon.read(directory + "/log").contains("--socket"))
            }
            process.signal(SIGTERM)
            unsafe unlink(directory + "/log")
            unsafe rmdir(directory)
        }
    }
}
