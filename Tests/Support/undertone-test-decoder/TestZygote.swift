import CLinux
import GLibSupport
import Glibc
import UndertoneColor
import UndertoneProtocol

/// The zygote's side of the channel, with the misbehaviour of a zygote on command.
enum TestZygote {
    static let channel: Int32 = 3

    nonisolated static func run(isWide: Bool) -> Int32 {
        // The tests tell by the environment what a zygote does before its first job.
        let misbehaviour = Environment["UNDERTONE_TEST_ZYGOTE"]
            .map { String(decoding: $0, as: UTF8.self) }
        switch misbehaviour {
        case "dies": return 1
        case "mute":
            // Until the daemon ends.
            var byte: UInt8 = 0
            while unsafe recv(channel, &byte, 1, 0) > 0 {}
            return 0
        case "garbage": send([1, 2, 3])
        default: break
        }
        guard let signals = try? checking("signalfd", { unsafe clinux_signalfd([SIGCHLD], 1) })
        else { return 1 }
        let isConfined = !isWide || misbehaviour != "wide-unconfined"
        send(
            ZygoteEvent.ready(
                DecoderCapabilities(
                    formats: isWide ? [.png, .svg] : [.png], landlock: isConfined ? 5 : 0,
                    seccomp: isConfined)
            ).encoded())
        if misbehaviour == "unprepared" { return 1 }
        send(ZygoteEvent.prepared.encoded())
        var slots: [pid_t: UInt32] = [:]
        while true {
            var ready = [
                pollfd(fd: channel, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
            ]
            guard unsafe poll(&ready, 2, -1) > 0 else { continue }
            if ready[1].revents != 0 { reap(&slots, signals) }
            guard ready[0].revents != 0 else { continue }
            var packet = [UInt8](repeating: 0, count: ZygoteJob.maximumEncodedBytes)
            var instance: Int32 = -1
            var count: Int32 = 1
            let length = unsafe clinux_receive(
                channel, &packet, packet.count, &instance, &count)
            guard length > 0, let (slot, job) = ZygoteJob.decode(Array(packet.prefix(length)))
            else { return 0 }
            start(job, slot, isWide, &slots)
            if count == 1 { close(instance) }
        }
    }

    private static func start(
        _ job: ZygoteJob, _ slot: UInt32, _ isWide: Bool, _ slots: inout [pid_t: UInt32]
    ) {
        let command =
            switch job {
            case .decode(let job): TestChild.command(of: job.path)
            // Of the directory: the picture itself is then decoded as usual.
            case .watch(let job): TestChild.directoryCommand(of: job.paths[0])
            }
        switch command {
        case "refused": return send(ZygoteEvent.notStarted(slot: slot, errno: EAGAIN).encoded())
        case "garbage-event": return send([9, 9, 9])
        case "unanswered": return
        case "no-descriptors":
            return send(ZygoteEvent.started(slot: slot, pid: 1).encoded())
        case "zygote-dies": exit(1)
        default: break
        }
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { exit(1) }
        // The daemon gets a handle on a process that is gone already, so that it cannot end the
        // child, which ends by itself when the test wants it to: a child on a hung mount.
        let decoy = command == "undying" ? gone() : nil
        let pid = fork()
        if pid == 0 {
            close(ends[0])
            close(channel)
            // The child ends with its zygote: PR_SET_PDEATHSIG is 1.
            clinux_prctl(1, UInt(SIGKILL))
            switch job {
            case .decode(let job):
                TestChild(job: job, isWide: isWide, report: ends[1]).run(command)
            case .watch(let job): TestWatchChild(job: job, report: ends[1]).run(command)
            }
        }
        slots[pid] = slot
        let handle = decoy ?? clinux_pidfd_open(pid)
        var descriptors = [ends[0], handle]
        if command == "extra-descriptor" { descriptors.append(handle) }
        send(ZygoteEvent.started(slot: slot, pid: pid).encoded(), descriptors)
        for descriptor in [ends[0], ends[1], handle] { close(descriptor) }
    }

    /// A handle on a process that has ended and been reaped.
    private static func gone() -> Int32 {
        let pid = fork()
        if pid == 0 { _exit(0) }
        let handle = clinux_pidfd_open(pid)
        var status: Int32 = 0
        unsafe waitpid(pid, &status, 0)
        return handle
    }

    private static func reap(_ slots: inout [pid_t: UInt32], _ signals: Int32) {
        var record = [UInt8](repeating: 0, count: 1024)
        unsafe _ = read(signals, &record, record.count)
        var status: Int32 = 0
        while true {
            let pid = unsafe waitpid(-1, &status, WNOHANG)
            guard pid > 0 else { return }
            guard let slot = slots.removeValue(forKey: pid) else { continue }
            let signal = status & 0x7f
            let code = signal == 0 ? status >> 8 & 0xff : 0
            send(ZygoteEvent.exited(slot: slot, code: code, signal: signal).encoded())
        }
    }

    private static func send(_ packet: [UInt8], _ descriptors: [Int32] = []) {
        unsafe _ = clinux_send(
            channel, packet, packet.count, descriptors, Int32(descriptors.count))
    }
}
