import UndertoneColor
import UndertoneProtocol

/// Which pictures are decoded when, and who waits for them: no I/O, only decisions.
///
/// Questions about one picture share one piece of work. A piece of work holds a slot from its
/// start until its child is known to be gone; a child that cannot be ended keeps its slot.
struct DecodeSchedule {
    /// A client that takes turns with others.
    typealias Client = Int
    /// A piece of work; the number is never used again.
    typealias Work = UInt32
    /// A question that waits for a piece of work; the number is never used again.
    typealias Waiter = Int

    /// What makes two questions the same work: the file, by its identity if that could be told
    /// and else by its path, and how it is to be decoded.
    struct Key: Hashable {
        var identity: FileIdentity?
        /// The path is empty where the identity is known.
        var job: DecodeJob
        /// Whether the file is not decoded, only looked for.
        var isLook = false

        /// Creates the key of a job.
        init(_ job: DecodeJob, identity: FileIdentity?) {
            self.identity = identity
            self.job = job
            if identity != nil { self.job.path = [] }
        }

        /// The file tells most keys apart, and costs a fraction of all that must be equal.
        func hash(into hasher: inout Hasher) {
            // Many questions about one file differ in these.
            if !job.regions.isEmpty { hasher.combine(job.regions) }
            if let backdrop = job.backdrop { hasher.combine(backdrop) }
            if let identity {
                hasher.combine(identity.inode)
                hasher.combine(identity.changed)
            } else {
                hasher.combine(job.path)
            }
        }
    }

    /// What a cancelled question leaves behind.
    enum Cancellation: Equatable {
        /// Others wait for the same work, or it was answered already.
        case nothing
        /// The work had not begun and never will.
        case dropped(Work)
        /// The work goes on for nobody: its child can be killed.
        case abandoned(Work)
    }

    private struct Task {
        var key: Key?
        var waiters: Set<Waiter> = []
        var isStarted = false
        var isLost = false
    }

    /// How many children may be at work at once.
    let slots: Int
    private var tasks: [Work: Task] = [:]
    /// The work that a new question with the same key joins: what is not answered yet.
    private var open: [Key: Work] = [:]
    private var works: [Waiter: Work] = [:]
    private var queue = FairQueue<Client, Waiter>()
    private var positions: [Waiter: FairQueue<Client, Waiter>.Position] = [:]
    private var nextWork: Work = 0
    private var nextWaiter: Waiter = 0
    /// Slots that are held.
    private(set) var running = 0
    /// Slots that are held by children which don't die.
    private(set) var lost = 0

    /// Creates a schedule with nothing to do.
    init(slots: Int) {
        self.slots = max(1, slots)
    }

    /// Pieces of work that have not begun.
    var queued: Int { tasks.count - running }

    /// Whether no slot becomes free unless a stuck child dies after all.
    var isExhausted: Bool { lost >= slots }

    /// Adds a question; it joins work with the same key that is not answered yet, and without a key
    /// none.
    mutating func submit(
        _ key: Key?, client: Client, priority: Request.Priority
    ) -> (waiter: Waiter, work: Work, joined: Bool) {
        let waiter = nextWaiter
        nextWaiter += 1
        let joined = key.flatMap { open[$0] }
        let work = joined ?? create(key)
        works[waiter] = work
        tasks[work]!.waiters.insert(waiter)
        // Each question waits in its own client's lane, so that shared work begins at the
        // earliest of their turns and by the highest of their priorities.
        if !tasks[work]!.isStarted {
            positions[waiter] = queue.append(waiter, client: client, priority: priority)
        }
        return (waiter, work, joined != nil)
    }

    /// Begins the work whose turn it is, if a slot is free.
    mutating func startNext() -> Work? {
        guard running < slots, let first = queue.popFirst() else { return nil }
        positions[first] = nil
        let work = works[first]!
        for waiter in tasks[work]!.waiters { leaveQueue(waiter) }
        tasks[work]!.isStarted = true
        running += 1
        return work
    }

    /// Takes the questions that a piece of work answers; later ones with its key are new work.
    ///
    /// Work that was never started, or whose slot is lost, is over by this.
    mutating func answer(_ work: Work) -> Set<Waiter> {
        guard let task = tasks[work] else { return [] }
        close(work)
        tasks[work]!.waiters = []
        for waiter in task.waiters {
            leaveQueue(waiter)
            works[waiter] = nil
        }
        if !task.isStarted { tasks[work] = nil }
        return task.waiters
    }

    /// Gives up a question, whose asker is gone.
    mutating func cancel(_ waiter: Waiter) -> Cancellation {
        guard let work = works.removeValue(forKey: waiter) else { return .nothing }
        leaveQueue(waiter)
        tasks[work]!.waiters.remove(waiter)
        guard tasks[work]!.waiters.isEmpty else { return .nothing }
        close(work)
        if tasks[work]!.isStarted { return .abandoned(work) }
        tasks[work] = nil
        return .dropped(work)
    }

    /// Frees the slot of work whose child is gone; it must have been answered or abandoned.
    mutating func release(_ work: Work) {
        guard let task = tasks[work], task.isStarted else { return }
        precondition(task.waiters.isEmpty, "a slot is released after its work was answered")
        tasks[work] = nil
        running -= 1
        if task.isLost { lost -= 1 }
    }

    /// Notes that a killed child does not die: its slot is lost until `release`.
    mutating func lose(_ work: Work) {
        guard let task = tasks[work], task.isStarted, !task.isLost else { return }
        tasks[work]!.isLost = true
        lost += 1
    }

    /// Whether work holds a slot.
    func isStarted(_ work: Work) -> Bool { tasks[work]?.isStarted == true }

    /// All work that has not begun, for answering it when nothing can begin any more.
    var waitingWork: [Work] {
        tasks.filter { !$0.value.isStarted }.keys.sorted()
    }

    private mutating func create(_ key: Key?) -> Work {
        nextWork &+= 1
        tasks[nextWork] = Task(key: key)
        if let key { open[key] = nextWork }
        return nextWork
    }

    private mutating func close(_ work: Work) {
        if let key = tasks[work]?.key, open[key] == work { open[key] = nil }
    }

    private mutating func leaveQueue(_ waiter: Waiter) {
        if let position = positions.removeValue(forKey: waiter) { queue.remove(position) }
    }
}
