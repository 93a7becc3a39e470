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

    /// How long a started daemon may take to answer, in milliseconds.
    private static let patience = 5000

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
        let path = try path()
        if let connection = try attempt(path) { return connection }
        guard startsDaemon else { throw .notRunning }
        guard let program = DaemonProgram.find() else { throw .daemonNotFound }

        report("starting \(String(decoding: program, as: UTF8.self))")
        var arguments: [[UInt8]] = []
        if let socket { arguments = [Array("--socket".utf8), socket] }
        let daemon = try DaemonProgram.start(program, arguments)

        // Where several clients start one at the same time all but one of the daemons exit again,
        // and all the clients reach the one that stays: so an exit alone is no failure yet.
        var ending: String?
        var waited = 0
        var pause = 2
        while waited < Connector.patience {
            if let connection = try attempt(path) {
                report("connected after \(waited) ms")
                return connection
            }
            if ending == nil { ending = daemon.ending() }
            if ending != nil, waited > Connector.patience / 5 { break }
            usleep(UInt32(pause * 1000))
            waited += pause
            pause = min(pause * 2, 50)
        }
        throw .startFailed(ending ?? "it does not answer within \(Connector.patience / 1000) s")
    }

    /// Connects, or returns nil where no daemon listens.
    private func attempt(_ path: [UInt8]) throws(ClientError) -> Connection? {
        do throws(SystemError) {
            return try Connection(to: path)
        } catch {
            guard [ENOENT, ECONNREFUSED, ENOTDIR].contains(error.number) else {
                throw .system(error)
            }
            return nil
        }
    }
}
