import CLinux
import GLibSupport
import Glibc
import UndertoneColor
import UndertoneProtocol

/// One picture on its way through a child.
@MainContext
final class Decode {
    /// How far it is.
    enum Stage {
        /// No zygote was there to be asked.
        case waiting
        /// A zygote was asked and has not answered.
        case asked
        /// Its child runs.
        case running
    }

    /// Its number in the schedule, and its slot's on the channel.
    let work: DecodeSchedule.Work
    let job: DecodeJob
    /// The file before it was decoded, if it could be told.
    let identity: FileIdentity?
    /// Nanoseconds since the epoch when a child was asked for.
    var askedAt: Int64 = 0
    var stage = Stage.waiting
    var profile = DecoderProfile.raster
    /// The zygote that was asked; its events are about this decode, another's are not.
    var zygote: Zygote?
    /// How often a zygote was asked in the present try.
    var attempts = 0
    /// How often a zygote died while the child ran.
    var interruptions = 0
    /// Whether nobody waits any more: answered, or given up.
    var isSettled = false
    /// Whether it was killed at its deadline or for its flooding.
    var isKilled = false
    /// The child, once it runs.
    var pidfd: SharedDescriptor?
    var report: ReportReader?
    /// A watch on the pidfd, where the zygote that would tell of the child's end is dead.
    var deathWatch: FileWatch?
    let timer: MainTimer

    init(
        work: DecodeSchedule.Work, job: DecodeJob, identity: FileIdentity?,
        onTimer: @escaping @MainContext (DecodeSchedule.Work) -> Void
    ) {
        self.work = work
        self.job = job
        self.identity = identity
        timer = MainTimer { onTimer(work) }
    }

    /// Kills the child, if one runs.
    func kill() {
        if let pidfd { _ = clinux_pidfd_kill(pidfd.number, SIGKILL) }
    }

    /// Forgets the child and the zygote, to be asked for again.
    func reset() {
        report?.close()
        report = nil
        pidfd = nil
        zygote = nil
        stage = .waiting
        timer.unschedule()
    }
}
