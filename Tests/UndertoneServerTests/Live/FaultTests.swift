import Glibc
import Testing
import UndertoneProtocol

extension LiveTests {
    /// What a misbehaving child or zygote costs: its own answer and nothing else.
    @Suite struct FaultTests {
        @Test(arguments: [
            "segfault", "abort", "silent", "status-7", "flood", "short", "long", "byte", "garbage",
            "nan", "surplus-region", "too-wide",
        ])
        func aMisbehavingChildCostsItsOwnAnswer(command: String) throws {
            let daemon = try TestDaemon()
            let client = try daemon.client()
            let bad = try daemon.question(command + ".png", id: "1")
            let good = try daemon.question("a.png", id: "2")
            try client.send(bad + "\n" + good + "\n")
            let code = command == "too-wide" ? "internal" : "decoder_crashed"
            #expect(try client.reply().hasPrefix(#"{"id":1,"error":{"code":"\#(code)""#))
            #expect(try client.reply().hasPrefix(#"{"id":2,"result""#))
            try daemon.waitFor("decodersRunning", 0)
            #expect(try daemon.counter("zygoteRestarts") == 0)
        }

        /// What the desktop keeps of a picture may be hostile where the picture itself is not.
        @Test(arguments: [
            "segfault", "abort", "silent", "flood", "short", "garbage", "surplus-region", "killed",
        ])
        func aThumbnailThatCrashesLeavesThePicture(command: String) throws {
            let daemon = try TestDaemon()
            let client = try daemon.client()
            let picture = try daemon.picture("thumbnail-\(command).png")
            let question = #"{"path":"\#(picture)","sampling":"thumbnail"}"#
            for _ in 0..<2 {
                #expect(try client.ask(question).contains(#""sampling":"auto""#))
            }
            #expect(try client.ask(#"{"path":"\#(picture)"}"#).contains("result"))
            // One picture, and the second answer from the cache.
            #expect(try daemon.counter("decodes") == 1)
            #expect(try daemon.counter("crashes") == 0)
            try daemon.waitFor("decodersRunning", 0)
        }

        @Test func aThumbnailThatHangsHasThePicturesTime() throws {
            let daemon = try TestDaemon(["--deadline", "1"])
            let picture = try daemon.picture("thumbnail-hang.png")
            let question = #"{"path":"\#(picture)","sampling":"thumbnail"}"#
            #expect(try daemon.client().ask(question).contains(#""code":"timeout""#))
            try daemon.waitFor("decodersRunning", 0)
        }

        @Test func aPictureThatCrashedIsRefusedUntilItChanges() throws {
            let daemon = try TestDaemon()
            let client = try daemon.client()
            let question = try daemon.question("segfault.png")
            for _ in 0..<3 { #expect(try client.ask(question).contains("decoder_crashed")) }
            #expect(try daemon.counter("decodes") == 1)
            #expect(try daemon.counter("crashes") == 1)
            _ = try daemon.picture("segfault.png", content: "changed")
            #expect(try client.ask(question).contains("decoder_crashed"))
            #expect(try daemon.counter("decodes") == 2)
        }

        /// The machine ran out of memory, or somebody killed it: no fault of the picture.
        @Test func aPictureWhoseChildWasKilledIsTriedAgain() throws {
            let daemon = try TestDaemon()
            let client = try daemon.client()
            let question = try daemon.question("killed.png")
            for _ in 0..<2 { #expect(try client.ask(question).contains("decoder_crashed")) }
            #expect(try daemon.counter("decodes") == 2)
        }

        @Test(arguments: ["hang", "stubborn", "half"])
        func aChildThatTakesTooLongIsKilled(command: String) throws {
            // Asked before, and told to have more patience.
            let patient = try TestDaemon(TestDaemon.longDeadline)
            let waiting = try patient.client()
            try waiting.send(try patient.question(command + ".png") + "\n")
            try patient.waitFor("decodersRunning", 1)
            let daemon = try TestDaemon(["--deadline", "1"])
            let client = try daemon.client()
            let question = try daemon.question(command + ".png")
            let start = monotonicSeconds()
            #expect(try client.ask(question).contains(#""code":"timeout""#))
            #expect(monotonicSeconds() - start >= 1)
            #expect(try patient.counter("decodersRunning") == 1)
            try daemon.waitFor("decodersRunning", 0)
            #expect(try daemon.counter("timeouts") == 1)
        }

        @Test func aChildThatStaysAfterItsReportIsKilledButItsAnswerCounts() throws {
            let patient = try TestDaemon(TestDaemon.longDeadline)
            let early = try patient.client().ask(try patient.question("lingers.png"))
            #expect(early.contains("result"))
            // The answer did not wait for the child's end.
            #expect(try patient.counter("decodersRunning") == 1)
            let daemon = try TestDaemon(["--deadline", "1", "--jobs", "1"])
            let client = try daemon.client()
            #expect(try client.ask(try daemon.question("lingers.png")).contains("result"))
            try daemon.waitFor("decodersRunning", 0)
            #expect(try daemon.counter("timeouts") == 0)
        }

        /// It spins until the kernel ends it, long before the daemon would.
        @Test func aChildThatRanOutOfProcessorTimeTimedOut() throws {
            let daemon = try TestDaemon(TestDaemon.longDeadline)
            let reply = try daemon.client().ask(try daemon.question("spin.png"))
            #expect(reply.contains(#""code":"timeout""#))
            #expect(try daemon.counter("timeouts") == 1)
            #expect(try daemon.counter("crashes") == 0)
        }

        /// Either of the two children alone would have time enough.
        @Test(arguments: ["slow-700-wide.svg", "slow-700-zygote-killer.png"])
        func aSecondChildGetsWhatTheFirstHasLeft(name: String) throws {
            let daemon = try TestDaemon(["--deadline", "1"])
            let reply = try daemon.client().ask(try daemon.question(name))
            #expect(reply.contains(#""code":"timeout""#), "\(reply)")
            try daemon.waitFor("decodersRunning", 0)
            #expect(try daemon.counter("timeouts") == 1)
        }

        @Test func aFailureThatTheChildReportsIsPassedOn() throws {
            let daemon = try TestDaemon()
            let client = try daemon.client()
            #expect(try client.ask(try daemon.question("missing.png")).contains("not_found"))
            let unsupported = try client.ask(try daemon.question("unsupported.png"))
            #expect(unsupported.contains(#""code":"unsupported_format""#))
            #expect(unsupported.contains(#""package":"webp-loader""#))
            #expect(try client.ask(try daemon.question("changed.png")).contains("file_changed"))
        }

        /// A child that was taken over by its picture must not answer for another one.
        @Test func aForgedIdentityIsNotKept() throws {
            let daemon = try TestDaemon()
            let client = try daemon.client()
            let victim = try daemon.question("victim.png")
            #expect(try client.ask(try daemon.question("forged.png")).contains("#ff8080"))
            #expect(try daemon.counter("cacheEntries") == 0)
            #expect(try client.ask(victim).contains("#808080"))
        }

        @Test func theWideZygoteStartsWhenNeeded() throws {
            let daemon = try TestDaemon()
            let client = try daemon.client()
            try daemon.waitForZygotes(1)
            #expect(try !client.ask(#"{"op":"status"}"#).contains("svg"))
            let reply = try client.ask(try daemon.question("wide.svg"))
            #expect(reply.contains(#""format":"svg""#))
            #expect(daemon.children().count == 2)
            #expect(try client.ask(#"{"op":"status"}"#).contains(#""formats":["png","svg"]"#))
        }

        /// A zygote that was replaced ends with its last child, also where that child's picture
        /// went on to the other kind.
        @Test func aReplacedZygoteEndsThoughItsPictureGoesOn() throws {
            let daemon = try TestDaemon(TestDaemon.longDeadline)
            let client = try daemon.client()
            #expect(try client.ask(try daemon.question("wide.svg")).contains("result"))
            try daemon.waitFor("decodersRunning", 0)
            try daemon.waitForZygotes(2)
            let descriptors = daemon.descriptors
            for turn in 0..<5 {
                let path = try daemon.picture("held-wide.\(turn)")
                let before = Set(daemon.children())
                try client.send(#"{"path":"\#(path)"}"# + "\n")
                try daemon.waitFor("decodersRunning", 1)
                daemon.process.signal(SIGHUP)
                // The new one runs beside the old one, whose child still waits.
                #expect(eventually { !before.isSuperset(of: daemon.children()) })
                try daemon.release("held-wide.\(turn)")
                #expect(try client.reply().contains(#""format":"svg""#))
                try daemon.waitFor("decodersRunning", 0)
            }
            try daemon.waitForZygotes(2)
            #expect(daemon.returnsTo(descriptors))
        }

        @Test(arguments: [("best-effort", false), ("required", true)])
        func theSandboxIsThatOfTheWeakestZygoteThatDecodes(
            requirement: String, isConfined: Bool
        ) throws {
            let daemon = try TestDaemon(
                ["--sandbox", requirement],
                environment: ["UNDERTONE_TEST_ZYGOTE": "wide-unconfined"])
            let client = try daemon.client()
            let confined = #""sandbox":{"seccomp":true,"landlock":5,"warnings":[]}"#
            try #require(try client.ask(try daemon.question("a.png")).contains("result"))
            #expect(try client.ask(#"{"op":"status"}"#).contains(confined))
            try #require(try client.ask(try daemon.question("wide.svg")).contains("result"))
            let status = try client.ask(#"{"op":"status"}"#)
            #expect(status.contains(confined) == isConfined, "\(status)")
            #expect(
                status.contains(#""sandbox":{"seccomp":false,"landlock":0,"warnings":["decoders"#)
                    != isConfined, "\(status)")
        }

        @Test func aChildThatCannotBeMadeIsBusy() throws {
            let daemon = try TestDaemon()
            let client = try daemon.client()
            #expect(try client.ask(try daemon.question("refused.png")).contains("busy"))
            #expect(try client.ask(try daemon.question("a.png")).contains("result"))
            try daemon.waitFor("decodersRunning", 0)
        }

        @Test func aChildThatDoesNotDieCostsItsSlotUntilItDoes() throws {
            let daemon = try TestDaemon(["--deadline", "1", "--jobs", "2"])
            let client = try daemon.client()
            let undying = try daemon.question("undying.png")
            let good = try daemon.question("a.png")
            #expect(try client.ask(undying).contains("timeout"))
            try daemon.waitFor("decodersStuck", 1)
            // The other slot goes on.
            #expect(try eventually { try client.ask(good).contains("result") })
            try daemon.release("undying.png")
            try daemon.waitFor("decodersStuck", 0)
            try daemon.waitFor("decodersRunning", 0)
        }

        @Test func withAllSlotsLostTheAnswerIsBusy() throws {
            let daemon = try TestDaemon(["--deadline", "1", "--jobs", "1"])
            let client = try daemon.client()
            let undying = try daemon.question("undying.png")
            let known = try daemon.question("known.png")
            let good = try daemon.question("a.png")
            // On a busy machine this, too, takes longer than a second.
            #expect(try eventually { try client.ask(known).contains("result") })
            try client.send(undying + "\n" + good + "\n")
            #expect(try client.reply().contains("timeout"))
            // It waited for the slot that was lost meanwhile.
            #expect(try client.reply().contains(#""code":"busy""#))
            #expect(try client.ask(good).contains(#""code":"busy""#))
            #expect(try client.ask(known).contains("result"))
            try daemon.release("undying.png")
            try daemon.waitFor("decodersStuck", 0)
            #expect(try eventually { try client.ask(good).contains("result") })
        }

        // MARK: Zygotes

        @Test func aKilledZygoteIsReplacedAndItsPicturesAreTriedAgain() throws {
            let daemon = try TestDaemon(TestDaemon.longDeadline)
            let client = try daemon.client()
            let held = try daemon.question("held.png", id: "1")
            try daemon.waitForZygotes(1)
            try client.send(held + "\n")
            try daemon.waitForChild()
            for pid in daemon.children() { kill(pid, SIGKILL) }
            try daemon.waitFor("zygoteRestarts", 1)
            try daemon.release("held.png")
            #expect(try client.reply().hasPrefix(#"{"id":1,"result""#))
            #expect(try daemon.counter("zygoteRestarts") == 1)
            #expect(try client.ask(try daemon.question("a.png")).contains("result"))
        }

        @Test func aPictureThatKillsItsZygoteIsTriedTwiceAndNoMore() throws {
            let daemon = try TestDaemon()
            let client = try daemon.client()
            let question = try daemon.question("zygote-killer.png")
            let good = try daemon.question("a.png")
            #expect(try client.ask(question).contains("decoder_crashed"))
            try daemon.waitFor("zygoteRestarts", 2)
            #expect(try client.ask(good).contains("result"))
            #expect(try client.ask(question).contains("decoder_crashed"))
            #expect(try daemon.counter("zygoteRestarts") == 2)
        }

        @Test(arguments: ["garbage-event", "no-descriptors", "extra-descriptor", "zygote-dies"])
        func aZygoteThatBreaksTheProtocolIsReplaced(command: String) throws {
            let daemon = try TestDaemon()
            let client = try daemon.client()
            let bad = try daemon.question(command + ".png")
            let good = try daemon.question("a.png")
            _ = try client.ask(#"{"op":"status"}"#)
            try daemon.waitForZygotes(1)
            let descriptors = daemon.descriptors
            #expect(try client.ask(bad).contains(#""code":"internal""#))
            #expect(try client.ask(good).contains("result"))
            #expect(try daemon.counter("zygoteRestarts") >= 3)
            try daemon.waitFor("decodersRunning", 0)
            try daemon.waitForZygotes(1)
            #expect(daemon.returnsTo(descriptors))
        }

        @Test(arguments: ["dies", "garbage", "unprepared"])
        func withoutAnyZygoteTheAnswerIsInternalAndNoProcessorIsBurnt(mode: String) throws {
            let daemon = try TestDaemon(environment: ["UNDERTONE_TEST_ZYGOTE": mode])
            let client = try daemon.client()
            let question = try daemon.question("a.png")
            #expect(try client.ask(question).contains(#""code":"internal""#))
            sleep(1)
            // At 0, 0, 50, 100, 200, 400 … ms.
            #expect(try daemon.counter("zygoteRestarts") < 10)
        }

        /// A file that may be executed and is no program.
        @Test func aDecoderThatCannotBeStartedIsInternal() throws {
            let directory = try TestDaemon.makeDirectory()
            defer { unsafe rmdir(directory) }
            let decoder = directory + "/decoder"
            try TestDaemon.write("nonsense", to: decoder)
            defer { unsafe unlink(decoder) }
            unsafe chmod(decoder, 0o700)
            let daemon = try TestDaemon(decoder: decoder)
            let reply = try daemon.client().ask(try daemon.question("a.png"))
            #expect(reply.contains(#""code":"internal""#))
        }

        @Test func reloadingLetsRunningPicturesFinishAndTakesANewZygote() throws {
            let daemon = try TestDaemon(TestDaemon.longDeadline)
            let client = try daemon.client()
            let held = try daemon.question("held.png", id: "1")
            try daemon.waitForZygotes(1)
            let before = daemon.children()
            try client.send(held + "\n")
            try daemon.waitForChild()
            daemon.process.signal(SIGHUP)
            try daemon.waitForZygotes(2)
            try client.send(try daemon.question("b.png") + "\n")
            // The new one has decoded it while the old one's picture goes on.
            try daemon.waitFor("cacheEntries", 1)
            try daemon.release("held.png")
            #expect(try client.reply().hasPrefix(#"{"id":1,"result""#))
            #expect(try client.reply().contains("result"))
            try daemon.waitForZygotes(1)
            #expect(daemon.children() != before)
            #expect(try daemon.counter("decodes") == 2)
            #expect(try daemon.counter("zygoteRestarts") == 0)
        }

        @Test func aReplacedZygoteThatDiesBeforeItsPictureIsDoneLosesNothing() throws {
            let daemon = try TestDaemon(TestDaemon.longDeadline)
            let client = try daemon.client()
            let held = try daemon.question("held.png", id: "1")
            try daemon.waitForZygotes(1)
            let old = daemon.children()[0]
            try client.send(held + "\n")
            try daemon.waitForChild()
            daemon.process.signal(SIGHUP)
            try daemon.waitForZygotes(2)
            kill(old, SIGKILL)
            try daemon.waitForZygotes(1)
            try daemon.release("held.png")
            #expect(try client.reply().hasPrefix(#"{"id":1,"result""#))
        }

        // MARK: Everything together

        @Test func manyFailuresLeaveNoDescriptorNoChildAndOneThread() throws {
            let daemon = try TestDaemon(["--jobs", "4"])
            let client = try daemon.client()
            let names = ["segfault", "silent", "flood", "garbage", "short", "missing", "a"]
            var lines = ""
            for round in 0..<10 {
                for name in names {
                    lines += #"{"path":"\#(daemon.directory)/\#(name).\#(round)"}"# + "\n"
                }
            }
            for round in 0..<10 {
                for name in names {
                    try TestDaemon.write("x", to: daemon.directory + "/\(name).\(round)")
                }
            }
            usleep(40_000)
            _ = try client.ask(#"{"op":"status"}"#)
            try daemon.waitForZygotes(1)
            let before = daemon.descriptors
            try client.send(lines)
            for _ in 0..<10 * names.count { _ = try client.reply() }
            try daemon.waitFor("decodersRunning", 0)
            #expect(daemon.returnsTo(before))
            #expect(daemon.threads == 1)
            // The zygote, and none of its children.
            #expect(daemon.children().count == 1)
            #expect(eventually { daemon.children(of: daemon.children()[0]).isEmpty })
        }

        @Test func noPicturesNameIsLoggedAboveDebug() throws {
            let daemon = try TestDaemon(["--log-level", "info"])
            let client = try daemon.client()
            for name in ["segfault", "garbage", "flood"] {
                _ = try client.ask(try daemon.question(name + ".secret"))
            }
            #expect(eventually { daemon.logged().contains("signal 11") })
            #expect(!daemon.logged().contains("secret"))
        }
    }
}

extension TestDaemon {
    /// Waits until its one zygote has a child.
    func waitForChild() throws {
        guard eventually({ children().contains { !children(of: $0).isEmpty } }) else {
            throw TestFailure("no child of a zygote")
        }
    }

    /// Waits until so many zygotes run.
    func waitForZygotes(_ count: Int) throws {
        guard eventually({ children().count == count }) else {
            throw TestFailure("\(children().count) zygotes instead of \(count)")
        }
    }
}
