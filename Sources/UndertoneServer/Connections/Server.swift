import GLibSupport
import Glibc
import UndertoneProtocol

/// Accepts clients and keeps their connections.
@MainContext
final class Server {
    private let listener: ListeningSocket
    private let service: Service
    private let user = getuid()
    private var connections: [Int: Connection] = [:]
    private var nextClient = 0
    /// How many clients there may be: fewer where files are short, so that pictures have theirs.
    private let capacity: Int
    private var watch: FileWatch?
    private var pause: MainTimer?
    private var fileWatch: SocketFileWatch?
    /// Given up to turn a client away properly when there is no other descriptor left.
    private var reserve: SharedDescriptor?
    private var onEmpty: CheckedContinuation<Void, Never>?
    /// Until the daemon ends for want of clients, where it may.
    private var idleTimer: MainTimer?
    private var idleSeconds = 0.0
    /// Whether the last clients are being served.
    private var isRetiring = false
    private var onRetired: @MainContext () -> Void = {}

    /// Serves on a socket; `slots` children may be at work at once.
    init(_ listener: ListeningSocket, _ service: Service, slots: Int) {
        self.listener = listener
        self.service = service
        var files = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        // A child takes a process and a pipe; both zygotes, timers and the like take some more.
        let others = 32 + 4 * slots
        let left = Int(min(files.rlim_cur, 1 << 20)) - others
        capacity = max(1, min(Limits.connections, left))
    }

    /// Starts to accept clients.
    ///
    /// - Parameter onLoss: Called when the socket's file is gone, so that there will be none.
    func start(onLoss: @escaping @MainContext () -> Void) throws(SystemError) {
        reserve = Self.openReserve()
        watch = try FileWatch(listener.descriptor.number, for: .readable) { [weak self] _ in
            self?.acceptSome(1)
        }
        guard let directory = listener.directory else { return }
        do throws(SystemError) {
            fileWatch = try SocketFileWatch(listener, in: directory, onLoss: onLoss)
        } catch {
            Log.write(.warning, "\(error)")
        }
    }

    /// Has the daemon end once nobody has been connected for so many seconds.
    ///
    /// - Parameter onRetired: Called when the last client is served and there will be no other.
    func retire(afterIdle seconds: Double, onRetired: @escaping @MainContext () -> Void) {
        self.onRetired = onRetired
        idleSeconds = seconds
        idleTimer = MainTimer { [weak self] in self?.retire() }
        noteIdleness()
    }

    /// Leaves the socket, and serves those who have connected at the very moment as ever.
    private func retire() {
        acceptSome(Int(SOMAXCONN))
        guard connections.isEmpty else { return }
        isRetiring = true
        stopListening()
        acceptLast()
        noteIdleness()
    }

    /// Accepts those who connected before the socket's file was gone. The service manager keeps
    /// those who wait at its own socket for the next daemon.
    private func acceptLast() {
        if !listener.isPassed { acceptSome(Int(SOMAXCONN)) }
    }

    private func noteIdleness() {
        guard connections.isEmpty else { return idleTimer?.unschedule() ?? () }
        if isRetiring { onRetired() } else { idleTimer?.schedule(after: idleSeconds) }
    }

    private func stopListening() {
        watch?.cancel()
        watch = nil
        pause = nil
        fileWatch?.cancel()
        fileWatch = nil
        listener.vacate()
    }

    /// Accepts nobody more, lets the connections end, and waits until they have.
    ///
    /// - Parameter seconds: How long what is asked may take; what is not answered then is refused.
    func finish(within seconds: Double) async {
        idleTimer = nil
        isRetiring = false
        stopListening()
        service.isShuttingDown = true
        // Whoever connected before the socket's file was gone is told, rather than cut off.
        acceptLast()
        for connection in connections.values { connection.finish() }
        let farewell = MainTimer { [weak self] in
            for connection in self.map({ Array($0.connections.values) }) ?? [] {
                connection.hangUp()
            }
        }
        let timer = MainTimer { [service] in
            service.refuseRest()
            // By then who takes his replies has had them.
            farewell.schedule(after: Double(Limits.farewellSeconds))
        }
        timer.schedule(after: seconds)
        if !connections.isEmpty { await withCheckedContinuation { onEmpty = $0 } }
        timer.unschedule()
        farewell.unschedule()
    }

    /// Accepts some of those who wait: one in a round, so that the others' requests have their turn
    /// and nobody is looked for who is not there.
    private func acceptSome(_ count: Int) {
        for _ in 0..<count {
            do throws(SystemError) {
                take(SharedDescriptor(try UnixSocket.accept(listener.descriptor.number)))
            } catch {
                switch error.number {
                // Nobody waits; nobody ever will.
                case EAGAIN, EINVAL: return
                case ECONNABORTED: continue
                case EMFILE where reserve != nil: turnAwayByReserve()
                default: return pauseAccepting(error)
                }
            }
        }
    }

    private func take(_ descriptor: SharedDescriptor) {
        guard let peer = try? UnixSocket.peerUser(descriptor.number), peer == user else {
            Log.write(.warning, "a connection of another user was refused")
            return
        }
        guard connections.count < capacity else { return turnAway(descriptor) }
        let client = nextClient
        nextClient += 1
        do throws(SystemError) {
            let connection = try Connection(
                descriptor, client: client, service: service,
                onEnd: { [weak self] in self?.forget($0) })
            connections[client] = connection
            service.counters.connectionsAccepted += 1
            service.counters.connections = connections.count
            noteIdleness()
            connection.begin()
        } catch {
            turnAway(descriptor)
        }
    }

    private func forget(_ client: Int) {
        connections[client] = nil
        service.counters.connections = connections.count
        noteIdleness()
        guard connections.isEmpty, let onEmpty else { return }
        self.onEmpty = nil
        onEmpty.resume()
    }

    /// Tells a client that there are too many, and hangs up.
    private func turnAway(_ descriptor: SharedDescriptor) {
        service.counters.connectionsRefused += 1
        let line = Reply.tooManyConnections
        unsafe _ = send(
            descriptor.number, line, line.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        // Closed with a question unread, the socket would tell of a reset instead of the line.
        var question = [UInt8](repeating: 0, count: Limits.readBytes)
        unsafe _ = recv(descriptor.number, &question, question.count, Int32(MSG_DONTWAIT))
    }

    private func turnAwayByReserve() {
        reserve = nil
        if let descriptor = try? UnixSocket.accept(listener.descriptor.number) {
            turnAway(SharedDescriptor(descriptor))
        }
        reserve = Self.openReserve()
    }

    /// Waits a moment where the kernel has no room: whoever knocks would keep the loop spinning.
    private func pauseAccepting(_ error: SystemError) {
        Log.write(.warning, "\(error)")
        watch?.interest = []
        let timer = MainTimer { [weak self] in self?.watch?.interest = .readable }
        timer.schedule(after: 0.1)
        pause = timer
    }

    private static func openReserve() -> SharedDescriptor? {
        let number = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        return number < 0 ? nil : SharedDescriptor(Descriptor(owning: number))
    }
}
