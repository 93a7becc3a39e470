internal import GLibSupport
internal import Glibc

/// Connects to the daemon, and starts it first where none runs.
public struct Connector {
    /// The socket's path, given instead of the usual one.
    public var socket: [UInt8]?
    /// Whether a daemon is started where none runs.
    public var startsDaemon: Bool
    /// Told what is done, for people.
    public var report: (String) -> Void

    /// How long a started daemon may take to answer, in seconds.
    private static let patience = 5.0
    /// How long another one may take, once the started one has ended, in seconds.
    private static let patienceForAnother = 2.0

    /// Creates a connector.
    public init(
        socket: [UInt8]? = nil, startsDaemon: Bool = true,
        report: @escaping (String) -> Void = { _ in }
    ) {
        self.socket = socket
        self.startsDaemon = startsDaemon
        self.report = report
    }

    /// The path of the daemon's socket.
    public func path() throws(ClientError) -> [UInt8] {
        do throws(SocketLocation.Failure) {
            return try SocketLocation.path(.current(option: socket))
        } catch {
            throw .noSocket(error)
        }
    }

    /// Connects, within five seconds where a daemon has to be started.
    public func connect() throws(ClientError) -> Connection {
        let connection = try open()
        connection.reconnect = { () throws(ClientError) in try open() }
        return connection
    }

    private func open() throws(ClientError) -> Connection {
        let path = try path()
        if let connection = try attempt(path) { return connection }
        guard startsDaemon else { throw .notRunning }
        if let kind = DesktopSandbox.kind() { throw .sandboxed(kind) }
        guard let program = DaemonProgram.find() else { throw .daemonNotFound }

        report("starting \(String(decoding: program, as: UTF8.self))")
        var arguments: [[UInt8]] = []
        if let socket { arguments = [Array("--socket".utf8), socket] }
        let daemon = try DaemonProgram.start(program, arguments)

        // Where several clients start one at the same time all but one of the daemons exit again,
        // and all the clients reach the one that stays: so an exit alone is no failure yet.
        let start = MainContext.now
        var patience = Connector.patience
        var ending: String?
        var pause: UInt32 = 2000
        while MainContext.now < start + patience {
            if let connection = try attempt(path) {
                report("connected after \(Int((MainContext.now - start) * 1000)) ms")
                return connection
            }
            if ending == nil, let end = daemon.ending() {
                ending = end
                patience = min(MainContext.now - start + Connector.patienceForAnother, patience)
            }
            usleep(pause)
            pause = min(pause * 2, 50_000)
        }
        throw .startFailed(ending ?? "it does not answer within \(Int(Connector.patience)) s")
    }

    /// Connects, or returns nil where no daemon listens.
    private func attempt(_ path: [UInt8]) throws(ClientError) -> Connection? {
        let foreigner: UInt32
        do throws(SystemError) {
            let connection = try Connection(to: path)
            let user = try connection.peerUser()
            if user == getuid() { return connection }
            foreigner = user
        } catch {
            guard [ENOENT, ECONNREFUSED, ENOTDIR].contains(error.number) else {
                let name = String(decoding: path, as: UTF8.self)
                throw .system(SystemError(error.number, "connecting to \(name)"))
            }
            return nil
        }
        throw .foreign(user: foreigner)
    }
}
