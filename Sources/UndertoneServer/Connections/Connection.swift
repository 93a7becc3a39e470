import GLibSupport
import Glibc
import UndertoneProtocol

/// One client, from `accept` to the end: reads lines, has them answered side by side, and writes
/// the replies in the order of the lines.
///
/// A line is answered in the very callback that read it, unless a picture is to be decoded for it:
/// only then does a task come into being, a child of `decode`.
@MainContext
final class Connection {
    /// Its number, by which clients take turns.
    let client: Int
    let service: Service
    /// The socket, until the connection ends.
    private(set) var descriptor: SharedDescriptor?
    private var watch: FileWatch?
    private(set) var input = LineInput()
    /// How often a connection that is to end still looks for lines that arrived just before.
    private(set) var lastReads: Int?
    private(set) var replies = ReplyQueue()
    let output: OutputBuffer
    /// Questions that wait for `decode` to start their tasks.
    private var questions: [(Service.Work, ReplyQueue.Ticket)] = []
    private var isDecoding = false
    private var sleeper: CheckedContinuation<Void, Never>?
    var keepAlive: MainTimer?
    private let onEnd: @MainContext (Int) -> Void

    /// What becomes of lines.
    enum Mode {
        /// They are answered.
        case answering
        /// They wait until it is known whether the watch begins.
        case startingWatch
        /// They are refused, and events are sent.
        case watching
        /// The watch is over, and so is the connection once its last event was taken.
        case closing
    }

    var mode = Mode.answering
    /// What is watched, from the request to the end.
    private var watched: Service.WatchRequest?
    /// The place of the watch's reply, while the watch waits for `decode` to start its task.
    private var watchTicket: ReplyQueue.Ticket?
    /// The event that goes out next; a later one takes its place, so that a slow client gets the
    /// latest.
    var event: [UInt8]?

    /// Takes over an accepted, non-blocking socket; `onEnd` is called once, when the client has
    /// had its last answer or is gone.
    init(
        _ descriptor: SharedDescriptor, client: Int, service: Service,
        onEnd: @escaping @MainContext (Int) -> Void
    ) throws(SystemError) {
        self.descriptor = descriptor
        self.client = client
        self.service = service
        self.onEnd = onEnd
        output = OutputBuffer(descriptor)
        // Both hold the connection until it hangs up, as it always does in the end. Weak references
        // would make each of its retains and releases several times as dear.
        watch = try FileWatch(descriptor.number, for: [.readable, .peerClosed], handler: dispatch)
        output.onStall = noteStall
    }

    /// Reads what the client has sent already: most ask as soon as they are connected.
    func begin() {
        if readSome() { service.round.add(self) }
    }

    /// Lets the connection end as soon as everything that came was answered.
    func finish() {
        // More than a socket holds.
        lastReads = (1 << 20) / Limits.readBytes
        if let watched, mode == .watching {
            event = service.shutdownEvent(of: watched)
            mode = .closing
        }
        advance()
    }

    /// Ends the connection: its tasks are cancelled and it is sent nothing more.
    func hangUp() {
        guard let watch else { return }
        watch.cancelByClosing()
        self.watch = nil
        keepAlive = nil
        event = nil
        output.close()
        descriptor = nil
        wake()
        onEnd(client)
    }

    /// Has the pictures of its questions decoded, side by side, until the connection ends; what
    /// is then still to be decoded is given up.
    private func decode() async {
        await withDiscardingTaskGroup { group in
            while !isHungUp {
                for (question, ticket) in questions {
                    // Isolated by its type, so that the task starts on the main context.
                    let operation: @Sendable @MainContext () async -> Void = {
                        let reply = await question(self.client)
                        self.deliver(reply, ticket)
                    }
                    group.addTask(operation: operation)
                }
                questions = []
                if let request = watched, let ticket = watchTicket {
                    watchTicket = nil
                    let operation: @Sendable @MainContext () async -> Void = {
                        await self.watch(request, ticket)
                    }
                    group.addTask(operation: operation)
                }
                await withCheckedContinuation { sleeper = $0 }
            }
            group.cancelAll()
        }
    }

    // MARK: State

    /// Whether the client is gone.
    var isHungUp: Bool { watch == nil }

    /// Whether every line that was taken is answered and every answer taken.
    private var isIdle: Bool { replies.inFlight == 0 && output.isEmpty && event == nil }

    /// Whether the client may have another line answered: beyond the bounds it has to wait.
    private var isAllowedMore: Bool {
        replies.inFlight < Limits.requestsInFlight
            && output.count + replies.heldBytes < Limits.outputBytes
            && mode != .startingWatch
    }

    /// Answers what may be answered, writes what can be written, and settles what to wait for.
    func advance() {
        while !isHungUp {
            answerLines()
            let wasAllowedMore = isAllowedMore
            flush()
            // What was written makes room for more lines.
            if isAllowedMore, !wasAllowedMore { continue }
            guard let reads = lastReads, isIdle, !input.isDone else { break }
            // A line that arrived just now is refused, not lost. Half a line is no line.
            lastReads = reads - 1
            if reads <= 0 || !readSome() { input.isDone = true }
        }
        if isHungUp { return }
        if input.isDone || mode == .closing, isIdle, mode != .watching { return hangUp() }
        var interest: FileWatch.Events = []
        if !input.hasEnded, isAllowedMore { interest.insert(.readable) }
        if !output.isEmpty || isEventDue { interest.insert(.writable) }
        // Not to be missed where nothing is read: who says no more has to be kept listening.
        if !input.hasPeerFinished { interest.insert(.peerClosed) }
        watch?.interest = interest
        startKeepAlive()
        if !questions.isEmpty || watchTicket != nil { startDecoding() }
    }

    private func startDecoding() {
        if isDecoding { return wake() }
        isDecoding = true
        MainContext.start { await self.decode() }
    }

    // MARK: Lines in

    private func answerLines() {
        output.prepare()
        while isAllowedMore, mode != .closing, let line = input.next() {
            switch service.answer(line, isWatching: mode == .watching) {
            case .now(let reply):
                replies.fulfil(replies.reserve(), with: reply)
            case .known(let body, let id) where replies.inFlight == 0:
                body.append(to: &output.bytes, id: id)
            case .known(let body, let id):
                replies.fulfil(replies.reserve(), with: body.addressed(to: id))
            case .later(let question):
                questions.append((question, replies.reserve()))
            case .watch(let request):
                mode = .startingWatch
                watched = request
                watchTicket = replies.reserve()
            }
        }
    }

    /// Reads once, and tells whether anything came.
    private func readSome() -> Bool {
        guard let descriptor else { return false }
        switch input.read(from: descriptor.number) {
        case .bytes:
            service.lookAgain()
            return true
        case .nothing: return false
        case .failure:
            hangUp()
            return false
        }
    }

    // MARK: Replies out

    func deliver(_ reply: [UInt8], _ ticket: ReplyQueue.Ticket) {
        if isHungUp { return }
        replies.fulfil(ticket, with: reply)
        advance()
    }

    private func flush() {
        replies.takeReady(into: &output.bytes)
        if !output.write() { hangUp() }
    }

    /// Hangs up on a client that takes none of its replies; what waits for one that watches does
    /// not grow, and it may take its time.
    private func noteStall() {
        if mode != .watching { hangUp() }
    }

    // MARK: Waiting

    private func dispatch(_ events: FileWatch.Events) {
        if !events.isDisjoint(with: [.hungUp, .failed]) { return hangUp() }
        if events.contains(.peerClosed) { input.hasPeerFinished = true }
        if events.contains(.readable) { _ = readSome() }
        if events.contains(.writable), isEventDue, let event {
            output.bytes += event
            self.event = nil
        }
        service.round.add(self)
    }

    private func wake() {
        sleeper?.resume()
        sleeper = nil
    }
}
