import CLinux
import GLibSupport
import Glibc
import UndertoneProtocol

/// Turns each job into a child and each child's end into an event, until the daemon is gone.
struct ZygoteLoop {
    private let channel: ZygoteChannel
    private let profile: DecoderProfile
    private let sandbox: Sandbox
    /// What children that place watches or look at paths enter, once there was one.
    private var watchConfinement: Result<Confinement, RequestError>?
    private let loaders: LoaderList?
    private let thumbnailPlaces = ThumbnailPlaces()
    /// Readable when a child has ended; closed with the process.
    private let childSignals: Int32
    private let process = getpid()
    /// The slots of the children that are not reaped; nil for one that the daemon never heard of.
    private var slots: [pid_t: UInt32?] = [:]

    /// How long nothing must happen before the memory that only work needs is given back.
    private static let idleMilliseconds: Int32 = 1000

    /// Prepares the loop; from here on SIGCHLD is blocked.
    init(
        channel: ZygoteChannel, profile: DecoderProfile, sandbox: Sandbox, loaders: LoaderList?
    ) throws(SystemError) {
        self.channel = channel
        self.loaders = loaders
        self.profile = profile
        self.sandbox = sandbox
        childSignals = try checking("signalfd") { unsafe clinux_signalfd([SIGCHLD], 1) }
    }

    /// Works until the daemon closes the socket.
    mutating func run() throws(SystemError) {
        var timeout = Self.idleMilliseconds
        while true {
            var ready = [
                pollfd(fd: channel.socket, events: Int16(POLLIN), revents: 0),
                pollfd(fd: childSignals, events: Int16(POLLIN), revents: 0),
                // poll ignores a negative number.
                pollfd(fd: loaders?.number ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            let count = try retrying("poll") {
                unsafe poll(&ready, nfds_t(ready.count), timeout)
            }
            if count == 0 {
                ProcessMemory.releaseCode()
                timeout = -1
                continue
            }
            timeout = Self.idleMilliseconds
            if ready[1].revents != 0 { try reap() }
            if ready[2].revents != 0, let loaders, loaders.hasChanged() {
                try channel.send(.outdated)
            }
            if ready[0].revents != 0 {
                guard let packet = try channel.receive() else { continue }
                if packet.bytes.isEmpty { return }
                guard let (slot, job) = ZygoteJob.decode(packet.bytes),
                    job.needsDescriptor == (packet.descriptor != nil)
                else { throw SystemError(EBADMSG, "a job of another version of undertoned") }
                try start(job, packet.descriptor, in: slot)
            }
        }
    }

    /// Forks a child for one job and hands its report pipe and its pidfd to the daemon.
    ///
    /// - Parameter inotify: What a watch is placed in; it ends here with the job.
    private mutating func start(
        _ job: ZygoteJob, _ inotify: SharedDescriptor?, in slot: UInt32
    ) throws(SystemError) {
        // Before the fork, so that it is done once.
        if case .watch = job, watchConfinement == nil { watchConfinement = sandbox.forWatches() }
        do throws(SystemError) {
            var ends: [Int32] = [-1, -1]
            _ = try checking("pipe") { unsafe clinux_pipe(&ends) }
            // The daemon gets its own copies by SCM_RIGHTS and the child has its own by the fork,
            // so both ends end here whatever happens.
            let reading = Descriptor(owning: ends[0])
            let writing = Descriptor(owning: ends[1])

            let child = DecoderChild(
                profile: profile, parent: process, report: writing.number,
                thumbnailPlaces: thumbnailPlaces)
            let pid = try retrying("fork") { fork() }
            if pid == 0 { live(as: child, job, inotify) }
            slots[pid] = .some(nil)
            do throws(SystemError) {
                // Only this process reaps, so the number can't be another's yet.
                let handle = Descriptor(
                    owning: try checking("pidfd_open") { clinux_pidfd_open(pid) })
                try channel.send(
                    .started(slot: slot, pid: pid), passing: [reading.number, handle.number])
                slots[pid] = slot
            } catch {
                kill(pid, SIGKILL)
                throw error
            }
        } catch {
            if error.number == EPIPE || error.number == ECONNRESET { throw error }
            try channel.send(.notStarted(slot: slot, errno: error.number))
        }
    }

    /// The child's whole life.
    private func live(
        as child: DecoderChild, _ job: ZygoteJob, _ inotify: SharedDescriptor?
    ) -> Never {
        switch (job, inotify, watchConfinement) {
        case (.decode(let job), _, _): child.decode(job, in: sandbox)
        case (.watch(let job), _, let confinement?):
            child.watch(job, inotify: inotify?.number, in: confinement)
        default: preconditionFailure("a watch comes with its confinement")
        }
    }

    /// Tells the daemon of every child that has ended.
    private mutating func reap() throws(SystemError) {
        // The signal only wakes: one may stand for many children.
        var buffer = [UInt8](repeating: 0, count: 1024)
        while unsafe read(childSignals, &buffer, buffer.count) > 0 {}

        while true {
            var code: Int32 = 0
            var signal: Int32 = 0
            let pid = try checking("waitpid") { unsafe clinux_reap(&code, &signal) }
            if pid == 0 { return }
            guard let slot = slots.removeValue(forKey: pid) ?? nil else { continue }
            try channel.send(.exited(slot: slot, code: code, signal: signal))
        }
    }
}

extension ZygoteJob {
    /// Whether an inotify instance comes with it.
    fileprivate var needsDescriptor: Bool {
        if case .watch(let job) = self { job.placesWatches } else { false }
    }
}
