import GLibSupport
import Glibc
import UndertoneProtocol

/// One client, from `accept` to the end: reads lines, has them answered side by side, and writes
/// the replies in the order of the lines.
@MainContext
final class Connection {
    /// Its number, by which clients take turns.
    let client: Int
    private let service: Service
    private let descriptor: SharedDescriptor
    private var watch: FileWatch?
    private var input = LineBuffer()
    private var hasInputEnded = false
    private var isFinishing = false
    private var replies = ReplyQueue()
    private let output: OutputBuffer
    /// Whoever waits for something to happen: a read, a write, an answer or a hang-up.
    private var sleeper: CheckedContinuation<Void, Never>?
    private var keepAlive: MainTimer?

    /// Takes over an accepted, non-blocking socket.
    init(_ descriptor: SharedDescriptor, client: Int, service: Service) throws(SystemError) {
        self.descriptor = descriptor
        self.client = client
        self.service = service
        output = OutputBuffer(descriptor)
        watch = try FileWatch(descriptor.number, for: .readable) { [weak self] in
            self?.dispatch($0)
        }
        output.onStall = { [weak self] in self?.hangUp() }
    }

    /// Whether the client is gone.
    private var isHungUp: Bool { watch == nil }

    /// Whether every line that came was answered and every answer taken.
    var isIdle: Bool { replies.inFlight == 0 && output.isEmpty }

    /// Serves the client until it has had its last answer or is gone.
    ///
    /// When it is gone, what was still to be decoded for it is given up.
    func serve() async {
        await withDiscardingTaskGroup { group in
            while let line = await nextLine() {
                let ticket = replies.reserve()
                switch service.answer(line) {
                case .now(let reply):
                    replies.fulfil(ticket, with: reply)
                case .later(let question):
                    // Isolated by its type, so that the task starts on the main context.
                    let operation: @Sendable @MainContext () async -> Void = {
                        let reply = await self.service.answer(question, client: self.client)
                        self.deliver(reply, ticket)
                    }
                    group.addTask(operation: operation)
                }
            }
            await lastReplies()
            if isHungUp { group.cancelAll() }
        }
        hangUp()
    }

    /// Lets the connection end as soon as everything that came was answered.
    func finish() {
        isFinishing = true
        wake()
    }

    /// Drops the client: its tasks are cancelled and it is sent nothing more.
    func hangUp() {
        guard let watch else { return }
        watch.cancel()
        self.watch = nil
        keepAlive = nil
        output.close()
        // The client is told now; the descriptor lives as long as this object.
        shutdown(descriptor.number, Int32(SHUT_RDWR))
        wake()
    }

    // MARK: Lines in

    private func nextLine() async -> LineBuffer.Line? {
        while !isHungUp {
            let wasAllowed = isAllowedMore
            if wasAllowed {
                if let line = input.next() { return line }
                if hasInputEnded { return input.finish() }
            }
            flush()
            if isHungUp || isAllowedMore != wasAllowed { continue }
            if isFinishing, isIdle {
                // A line that arrived just now is refused, not lost. Half a line is no line.
                if readSome() { continue }
                return nil
            }
            await sleep()
        }
        return nil
    }

    /// Whether the client may have another line answered: beyond the bounds it has to wait.
    private var isAllowedMore: Bool {
        replies.inFlight < Limits.requestsInFlight && output.count < Limits.outputBytes
    }

    /// Reads once, and tells whether anything came.
    private func readSome() -> Bool {
        let size = Limits.readBytes
        let count = unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { room in
            let count = unsafe read(descriptor.number, room.baseAddress, size)
            if count > 0 {
                unsafe input.append(UnsafeRawBufferPointer(rebasing: room.prefix(count)))
            }
            return count
        }
        if count == 0 { hasInputEnded = true }
        if count < 0, errno != EAGAIN, errno != EINTR { hangUp() }
        return count > 0
    }

    // MARK: Replies out

    private func deliver(_ reply: [UInt8], _ ticket: ReplyQueue.Ticket) {
        if isHungUp { return }
        replies.fulfil(ticket, with: reply)
        flush()
        wake()
    }

    /// Waits until every answer was taken, or the client is gone.
    private func lastReplies() async {
        while !isHungUp {
            flush()
            if isHungUp || isIdle { return }
            startKeepAlive()
            await sleep()
        }
    }

    /// Writes what can be written, and watches for what is to come.
    private func flush() {
        if isHungUp { return }
        replies.takeReady(into: &output.bytes)
        guard output.write() else { return hangUp() }
        var interest: FileWatch.Events = []
        if !hasInputEnded, isAllowedMore { interest.insert(.readable) }
        if !output.isEmpty { interest.insert(.writable) }
        watch?.interest = interest
    }

    /// Sends blanks while a client that will say nothing more waits for an answer: `socat` would
    /// stop listening.
    private func startKeepAlive() {
        guard keepAlive == nil else { return }
        let timer = MainTimer { [weak self] in
            guard let self, !self.isHungUp else { return }
            self.keepAlive?.schedule(after: Limits.keepAliveSeconds)
            // Replies go out whole, so whatever is not waiting ends with a newline.
            if self.output.isEmpty { self.output.bytes.append(UInt8(ascii: " ")) }
            self.flush()
        }
        keepAlive = timer
        timer.schedule(after: Limits.keepAliveSeconds)
    }

    // MARK: Waiting

    private func dispatch(_ events: FileWatch.Events) {
        if !events.isDisjoint(with: [.hungUp, .failed]) { return hangUp() }
        if events.contains(.readable) { _ = readSome() }
        if events.contains(.writable) { flush() }
        wake()
    }

    private func sleep() async {
        await withCheckedContinuation { sleeper = $0 }
    }

    private func wake() {
        guard let sleeper else { return }
        self.sleeper = nil
        sleeper.resume()
    }
}
