import CLinux
import GLibSupport
import Glibc
import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneDecoding

/// The real program against a daemon played by the test.
@Suite struct ZygoteTests {
    /// A PPM of two pixels, one black and one white.
    static let picture = Array("P6 2 1 255\n".utf8) + [0, 0, 0, 255, 255, 255]

    let directory: TemporaryDirectory
    let job: DecodeJob

    init() throws {
        directory = try TemporaryDirectory()
        job = DecodeJob(path: Array(try directory.write(Self.picture, as: "picture.ppm").utf8))
    }

    @Test(arguments: DecoderProfile.allCases)
    func saysWhatItCanDoThenAnswers(_ profile: DecoderProfile) throws {
        let zygote = try ZygoteProcess(arguments: ["--profile=\(profile.rawValue)"])
        #expect(try zygote.capabilities().formats == PictureDecoder.installedFormats())
        let (report, end) = try zygote.ask(job, slot: 77)
        guard case .summary(let summary) = report else {
            Issue.record("\(report)")
            return
        }
        #expect(summary.image.width == 2)
        #expect(summary.image.height == 1)
        #expect(summary.identityBefore == summary.identityAfter)
        var found = stat()
        unsafe try #require(stat(directory.path + "/picture.ppm", &found) == 0)
        #expect(summary.identityBefore.inode == found.st_ino)
        #expect(summary.identityBefore.device == found.st_dev)
        #expect(summary.identityBefore.size == UInt64(Self.picture.count))
        #expect(
            summary.identityBefore.modified
                == Int64(found.st_mtim.tv_sec) * 1_000_000_000 + Int64(found.st_mtim.tv_nsec))
        #expect(end == .exited(slot: 77, code: 0, signal: 0))
    }

    /// It must not go on without a sandbox, or with less of one; its daemon starts it again.
    @Test func endsIfItsProofIsKilled() throws {
        // Whether the child is seen in time is chance; that it is killed must be.
        for _ in 0..<50 {
            let zygote = try ZygoteProcess()
            let list = "/proc/\(zygote.pid)/task/\(zygote.pid)/children"
            var victim: pid_t?
            for _ in 0..<20_000 where victim == nil {
                victim = try? contents(of: list).split(separator: " ").first.flatMap { pid_t($0) }
                if wait(for: zygote.socket, 0) { break }
            }
            guard let victim, kill(victim, SIGKILL) == 0 else { continue }
            try #require(wait(for: zygote.socket, 60_000), "the zygote says nothing")
            var byte: UInt8 = 0
            let count = unsafe recv(zygote.socket, &byte, 1, Int32(MSG_PEEK))
            // It had proved itself a moment before.
            if count > 0 { continue }
            #expect(zygote.readDiagnostics().contains("the proof of the sandbox"))
            return
        }
        Issue.record("no proof could be killed")
    }

    /// Whatever the daemon, or who started it, left open by mistake.
    @Test func keepsNoDescriptorThatItInherited() throws {
        let leaky = ["/bin/sh", "-c", "exec 9</dev/zero; exec \"$0\" \"$@\""]
        let zygote = try ZygoteProcess(wrapper: leaky)
        _ = try zygote.capabilities()
        #expect(try !entries(of: "/proc/\(zygote.pid)/fd").contains("9"))
    }

    @Test func worksOnManyPicturesSideBySide() throws {
        let zygote = try ZygoteProcess()
        _ = try zygote.capabilities()
        for slot in 0..<20 { try zygote.send(job, slot: UInt32(slot)) }
        var started = Set<UInt32>()
        var ended = Set<UInt32>()
        var reports: [SharedDescriptor] = []
        while ended.count < 20 {
            switch try zygote.next() {
            case (.started(let slot, _), let descriptors):
                started.insert(slot)
                reports.append(descriptors[0])
            case (.exited(let slot, 0, 0), _):
                #expect(started.contains(slot), "its end came before its start")
                ended.insert(slot)
            case (let event, _):
                Issue.record("\(event)")
            }
        }
        #expect(started == Set(0..<20))
        for report in reports {
            guard case .summary = try DecodeReport(validating: readAll(report.number)) else {
                Issue.record("no summary")
                return
            }
        }
    }

    @Test func keepsNoDescriptorAndNoZombie() throws {
        let zygote = try ZygoteProcess()
        _ = try zygote.capabilities()
        let missing = DecodeJob(path: Array("/nowhere".utf8))
        _ = try zygote.ask(job)
        let before = try entries(of: "/proc/\(zygote.pid)/fd")
        for _ in 0..<50 {
            _ = try zygote.ask(job)
            _ = try zygote.ask(missing)
        }
        #expect(try entries(of: "/proc/\(zygote.pid)/fd") == before)
        #expect(try entries(of: "/proc/\(zygote.pid)/task").count == 1)
        let children = try contents(of: "/proc/\(zygote.pid)/task/\(zygote.pid)/children")
        #expect(children == "")
    }

    @Test func endsWithItsDaemonAndTakesItsChildrenAlong() throws {
        let lease = try Lease(on: directory.write(Self.picture, as: "leased.ppm"))
        let zygote = try ZygoteProcess()
        _ = try zygote.capabilities()
        let child = try zygote.start(DecodeJob(path: lease.path))
        #expect(!child.hasEnded(within: 50))
        zygote.closeSocket()
        #expect(try zygote.exitCode() == 0)
        // Before the kernel would break the lease, after 45 s.
        #expect(child.hasEnded(within: 30_000))
        #expect(zygote.readDiagnostics() == "")
    }

    @Test func aLeasedFileCostsOnlyItsChild() throws {
        let lease = try Lease(on: directory.write(Self.picture, as: "leased.ppm"))
        let zygote = try ZygoteProcess()
        _ = try zygote.capabilities()
        let waiting = try zygote.start(DecodeJob(path: lease.path), slot: 1)
        let stuck = try zygote.start(DecodeJob(path: lease.path), slot: 2)
        let (report, end) = try zygote.ask(job, slot: 3)
        guard case .summary = report else { throw SystemError(EPROTO, "\(report)") }
        #expect(end == .exited(slot: 3, code: 0, signal: 0))

        #expect(!waiting.hasEnded(within: 50))
        #expect(clinux_pidfd_kill(stuck.handle.number, SIGKILL) == 0)
        #expect(try zygote.next().0 == .exited(slot: 2, code: 0, signal: SIGKILL))
        #expect(stuck.readReport() == [])

        lease.giveBack()
        guard case .summary = try DecodeReport(validating: waiting.readReport()) else {
            throw SystemError(EPROTO, "no summary once the lease was given back")
        }
        #expect(try zygote.next().0 == .exited(slot: 1, code: 0, signal: 0))
    }

    @Test func outlivesTheSignalsOfATerminal() throws {
        let zygote = try ZygoteProcess()
        _ = try zygote.capabilities()
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { kill(zygote.pid, signal) }
        #expect(try zygote.ask(job).1 == .exited(slot: 1, code: 0, signal: 0))
        zygote.closeSocket()
        #expect(try zygote.exitCode() == 0)
    }

    @Test func waitsForADaemonThatDoesNotListen() throws {
        let zygote = try ZygoteProcess(hasSmallBuffers: true)
        _ = try zygote.capabilities()
        let job = DecodeJob(path: Array("/nowhere".utf8))
        _ = fcntl(zygote.socket, F_SETFL, O_NONBLOCK)
        // More jobs than events fit the socket, until the zygote can say no more and hear no more,
        // and has nothing left to do.
        var sent = 0
        var pauses = 0
        var allPauses = 0
        var ticks = try processorTicks(of: zygote.pid)
        while pauses < 25, allPauses < 3000 {
            do {
                try zygote.send(job, slot: UInt32(sent))
                sent += 1
                pauses = 0
            } catch {
                usleep(20_000)
                allPauses += 1
                let now = try processorTicks(of: zygote.pid)
                pauses = now == ticks ? pauses + 1 : 0
                ticks = now
            }
        }
        try #require(sent > 4)
        let before = try processorTicks(of: zygote.pid)
        usleep(200_000)
        #expect(try processorTicks(of: zygote.pid) - before <= 1, "it spins")

        var started = 0
        var ended = 0
        while ended < sent {
            switch try zygote.next().0 {
            case .started: started += 1
            case .exited: ended += 1
            case let event: throw SystemError(EPROTO, "\(event)")
            }
        }
        #expect(started == sent)
    }

    @Test func saysThatAChildCouldNotBeMade() throws {
        // 0…3, /dev/null, the ruleset, the list of loaders and the signals: there is no number left
        // for a pipe.
        let zygote = try ZygoteProcess(wrapper: ["/usr/bin/prlimit", "--nofile=8"])
        _ = try zygote.capabilities()
        for slot: UInt32 in 5...6 {
            try zygote.send(job, slot: slot)
            #expect(try zygote.next().0 == .notStarted(slot: slot, errno: EMFILE))
        }
    }

    /// Also where no daemon is there to do it; and the signal tells it from other deaths.
    @Test func aChildThatSpinsIsEndedByItsProcessorTime() throws {
        let zygote = try ZygoteProcess(arguments: ["--profile=wide", "--deadline=1"])
        try #require(try zygote.capabilities().formats.contains(.svg), "no SVG loader is installed")
        // Each layer of noise takes every pixel through an interpreter of its own.
        let layer = "<rect width='400' height='400' filter='url(#f)'/>"
        let drawing = """
            <svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><filter id="f">\
            <feTurbulence baseFrequency="0.9" numOctaves="9"/></filter>\
            \(String(repeating: layer, count: 2000))</svg>
            """
        let path = try directory.write(Array(drawing.utf8), as: "heavy.svg")
        let child = try zygote.start(DecodeJob(path: Array(path.utf8)))
        let limits = ResourceLimits(.wide, deadlineSeconds: 1)
        let row = try #require(limits.rows.first { $0.name == "RLIMIT_CPU" })
        var words: [Substring] = []
        // Until it enters the sandbox it has no limit.
        while words.dropFirst(3).first.flatMap({ Int($0) }) == nil {
            let text = try contents(of: "/proc/\(child.pid)/limits")
            let line = text.split(separator: "\n").first { $0.hasPrefix("Max cpu time") }
            words = try #require(line, "\(text)").split(separator: " ")
        }
        #expect(words[3...4] == ["\(row.limit)", "\(row.limit + 1)"])
        let end = try zygote.next().0
        #expect(end == .exited(slot: 1, code: 0, signal: SIGXCPU))
        #expect(child.readReport() == [])
    }

    @Test func endsOnAPacketThatIsNoJob() throws {
        for packet: [UInt8] in [[1], [9, 9, 9], job.encoded(slot: 1) + [0]] {
            let zygote = try ZygoteProcess()
            _ = try zygote.capabilities()
            try zygote.send(packet)
            #expect(try zygote.exitCode() == 1)
            #expect(zygote.readDiagnostics().contains("another version"))
        }
    }

    @Test func refusesAnythingButItsDaemonsSocket() throws {
        let zygote = try ZygoteProcess(socketType: SOCK_STREAM)
        #expect(try zygote.exitCode() == 1)
        #expect(zygote.readDiagnostics().contains("started by undertoned"))
    }

    @Test func refusesAWrongOption() throws {
        let zygote = try ZygoteProcess(arguments: ["--profile=narrow"])
        #expect(try zygote.exitCode() == 2)
        #expect(zygote.readDiagnostics().contains("--profile must be one of: raster, wide"))
    }

    /// User and system time together, in clock ticks of 10 ms.
    private func processorTicks(of pid: pid_t) throws -> Int {
        let fields = try contents(of: "/proc/\(pid)/stat").split(separator: ")")[1]
            .split(separator: " ")
        return try #require(Int(fields[11])) + #require(Int(fields[12]))
    }
}

/// A write lease on a file, which makes whoever opens it wait.
final class Lease {
    let path: [UInt8]
    private let file: Descriptor
    /// From `linux/fcntl.h`; the C library hides it without _GNU_SOURCE.
    private static let setLease: Int32 = 1024

    init(on path: String) throws {
        self.path = Array(path.utf8)
        // The kernel asks for the lease with a SIGIO, which would end this process.
        signal(SIGIO, SIG_IGN)
        file = unsafe Descriptor(owning: open(path, O_RDWR | O_CLOEXEC))
        try #require(fcntl(file.number, Self.setLease, Int32(F_WRLCK)) == 0)
    }

    func giveBack() {
        _ = fcntl(file.number, Self.setLease, Int32(F_UNLCK))
    }
}
