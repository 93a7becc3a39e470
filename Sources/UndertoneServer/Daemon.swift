import CLinux
import GLibSupport
import Glibc
import UndertoneProtocol

/// The whole daemon: from its command line to its exit status.
public enum Daemon {
    /// Runs with this process's command line until a signal ends it.
    public static func run() -> Int32 {
        run(Environment.commandLine)
    }

    /// Runs until a signal ends it.
    ///
    /// - Parameter arguments: The command line, the program's name first.
    /// - Returns: 0 after a proper end, 1 if it could not run, 2 for a command line that is none.
    public static func run(_ arguments: [[UInt8]]) -> Int32 {
        let options: Options
        do throws(OptionFailure) {
            options = try Options(arguments)
        } catch {
            Log.print(.error, "\(error.message); see --help")
            return 2
        }
        if options.version {
            print("undertoned \(Version.current)")
            return 0
        }
        restrainProcess()
        do {
            let listener = try claimSocket(options)
            guard
                let decoder = DecoderLocation.path(
                    option: options.decoder, ownProgram: DecoderLocation.ownProgram())
            else {
                listener.vacate()
                Log.print(.error, "there is no undertone-decoder to run: name it with --decoder")
                return 1
            }
            let configuration = Configuration(
                decoder: decoder, jobs: options.jobs, deadlineSeconds: options.deadlineSeconds,
                memoryCacheBytes: options.memoryCacheBytes, diskCacheBytes: options.diskCacheBytes,
                cacheFolder: StoreFolder(
                    cacheHome: Environment["XDG_CACHE_HOME"], home: Environment["HOME"]),
                sandbox: options.sandbox)
            // Whatever directory it was started in may be unmounted meanwhile.
            if decoder.first == UInt8(ascii: "/") { unsafe chdir("/") }
            let level = options.logLevel
            let idleSeconds = options.idleExitSeconds.map(Double.init)
            return MainContext.run {
                Log.level = level
                return await serve(listener, configuration, idleSeconds: idleSeconds)
            }
        } catch {
            Log.print(.error, "\(error)")
            return 1
        }
    }

    /// Gives up what a daemon never needs: privileges by exec, and a core file that holds what
    /// its clients look at.
    private static func restrainProcess() {
        StandardDescriptors.occupy()
        umask(0o077)
        signal(SIGPIPE, SIG_IGN)
        blockAwaitedSignals()
        _ = clinux_prctl(CLINUX_NO_NEW_PRIVS, 1)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        var files = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        files.rlim_cur = files.rlim_max
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
    }

    /// The signals that are taken from a queue: to end, or to look for loaders again.
    private static let awaitedSignals = [SIGTERM, SIGINT, SIGHUP]

    /// Lets signals wait for their queue: one that came between the claim of the socket and the
    /// queue's beginning would end the daemon and leave the socket behind.
    private static func blockAwaitedSignals() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in awaitedSignals { unsafe sigaddset(&signals, number) }
        unsafe sigprocmask(SIG_BLOCK, &signals, nil)
    }

    private static func claimSocket(_ options: Options) throws -> ListeningSocket {
        let passed = ServiceManager.takePassedSockets()
        let isNamed = options.socket != nil || Environment["UNDERTONE_SOCKET"] != nil
        if !isNamed, let first = passed.first { return try ListeningSocket(passed: first) }
        let path = try SocketLocation.path(.current(option: options.socket))
        return try ListeningSocket(at: path, ownsDirectory: !isNamed)
    }

    @MainContext
    private static func serve(
        _ listener: ListeningSocket, _ configuration: Configuration, idleSeconds: Double?
    ) async -> Int32 {
        let service = Service(configuration)
        let server = Server(listener, service, slots: configuration.jobs)
        let signals: SignalQueue
        do throws(SystemError) {
            signals = try SignalQueue(awaitedSignals)
            service.startDecoder()
            try server.start {
                Log.write(.warning, "the socket was removed: ending")
                // As if told to: what is being answered still is.
                kill(getpid(), SIGTERM)
            }
        } catch {
            Log.write(.error, "\(error)")
            listener.vacate()
            return 1
        }
        if let idleSeconds {
            server.retire(afterIdle: idleSeconds) {
                Log.write(.info, "nobody has asked for a while: ending")
                kill(getpid(), SIGTERM)
            }
        }
        ServiceManager.notify("READY=1")
        // Most of the code that a start runs never runs again.
        let rest = MainTimer { ProcessMemory.releaseCode() }
        rest.schedule(after: 0.25)
        while await signals.next() == SIGHUP { service.reloadDecoder() }
        rest.unschedule()
        ServiceManager.notify("STOPPING=1")
        // Whatever is being decoded is over by then, and its answer has had time to leave.
        await server.finish(within: Double(configuration.deadlineSeconds) + 1)
        await service.disk.finish()
        service.stop()
        return 0
    }
}
