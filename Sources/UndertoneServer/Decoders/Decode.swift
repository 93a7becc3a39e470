import CLinux
import GLibSupport
import Glibc
import UndertoneColor
import UndertoneProtocol

/// One picture, one request's watches, or one look at a path, on the way through a child.
@MainContext
final class Decode {
    /// What the child is to do.
    enum Task {
        /// Decode a picture; which file it was before, if that could be told.
        case decode(DecodeJob, FileIdentity?)
        /// Place watches in an inotify instance; without one, go the paths' ways.
        case watch(WatchJob, SharedDescriptor?)

        /// The path of the picture, or of the first that is watched.
        var path: [UInt8] {
            switch self {
            case .decode(let job, _): job.path
            case .watch(let job, _): job.paths[0]
            }
        }
    }

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
    private(set) var task: Task
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
    /// Whether the file that was decoded is not the one before: it was replaced meanwhile.
    var isOfAnotherFile = false
    /// Whether nobody waits any more: answered, or given up.
    var isSettled = false
    /// Whether its child is waited for to be gone, so that another one does without a thumbnail.
    private(set) var isToStartOver = false
    /// Whether its child was killed at the deadline or for its flooding.
    var isKilled = false
    /// The child, once it runs.
    var pidfd: SharedDescriptor?
    var report: ReportReader?
    /// A watch on the pidfd, where the zygote that would tell of the child's end is dead.
    var deathWatch: FileWatch?
    /// The patience with a zygote that was asked, or with a child that was killed.
    let timer: MainTimer
    /// The picture's time. It begins with the first child, and no second one begins it again.
    let deadline: MainTimer

    init(
        work: DecodeSchedule.Work, task: Task,
        onTimer: @escaping @MainContext (DecodeSchedule.Work) -> Void,
        onDeadline: @escaping @MainContext (DecodeSchedule.Work) -> Void
    ) {
        self.work = work
        self.task = task
        timer = MainTimer { onTimer(work) }
        deadline = MainTimer { onDeadline(work) }
    }

    /// Leaves out thumbnails, which may have been what a child died of, in what is asked for next.
    ///
    /// - Returns: Whether that makes a difference.
    func leaveThumbnailsOut() -> Bool {
        guard case .decode(var job, let identity) = task, job.sampling == .thumbnail else {
            return false
        }
        job.sampling = .auto
        task = .decode(job, identity)
        isToStartOver = true
        return true
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
        isToStartOver = false
        isKilled = false
        timer.unschedule()
    }
}
