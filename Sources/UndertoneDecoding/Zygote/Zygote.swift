import CLinux
import GLibSupport
import Glibc
import UndertoneProtocol

/// The process that holds the loaders and forks a child for each picture.
///
/// It never reads a picture itself. It stays single-threaded, because only then is `fork` safe:
/// nothing here may start the concurrency runtime or one of GLib's worker threads.
///
/// The daemon gives it `SWIFT_BACKTRACE=enable=no`: the runtime reads that before the first line
/// here runs, and without it a child that traps would start a backtracer.
public enum Zygote {
    /// Does the whole of `undertone-decoder`.
    ///
    /// - Parameter arguments: The command line, the program's name first.
    /// - Returns: The exit code: 0 when the daemon has ended, 1 after a failure, 2 for a wrong
    ///   command line.
    public static func main(arguments: [String]) -> Int32 {
        switch ZygoteCommand(parsing: arguments.dropFirst()) {
        case .help:
            print(ZygoteCommand.usage, terminator: "")
            return 0
        case .version:
            print("undertone-decoder \(Version.current)")
            return 0
        case .refuse(let reason):
            complain("\(reason); see --help")
            return 2
        case .serve(let options):
            guard let channel = ZygoteChannel() else {
                complain("descriptor 3 is no socket; this program is started by undertoned")
                return 1
            }
            do {
                try serve(options, over: channel)
                return 0
            } catch {
                // Nothing is wrong when it is the daemon that has ended.
                if error.number == EPIPE || error.number == ECONNRESET { return 0 }
                complain(error.description)
                return 1
            }
        }
    }

    private static func serve(
        _ options: ZygoteOptions, over channel: ZygoteChannel
    ) throws(SystemError) {
        // Whatever else was inherited by mistake is not for a child to find.
        closefrom(channel.socket + 1)
        let null = try openNull()
        settleSignals()
        ProcessEnvironment.tidy()
        // A large picture's memory goes back as soon as it is freed.
        clinux_map_blocks_from(1 << 20)
        PictureDecoder.preload(options.profile)

        var loop = try ZygoteLoop(channel: channel, options: options, null: null)
        guard threadCount() ?? 1 == 1 else {
            throw SystemError(EDEADLK, "a picture loader has started a thread, so forking")
        }
        let capabilities = DecoderCapabilities(
            formats: PictureDecoder.installedFormats(), landlock: 0, seccomp: false)
        try channel.send(.ready(capabilities))
        try loop.run()
    }

    /// Opens `/dev/null`, and fills the standard descriptors if they are missing, so that no pipe
    /// or picture gets one of their numbers.
    private static func openNull() throws(SystemError) -> Int32 {
        while true {
            let null = try retrying("opening /dev/null") {
                unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
            }
            if null > STDERR_FILENO { return null }
        }
    }

    /// Leaves the decision to end to the daemon, which says so by closing the socket: a Ctrl-C on
    /// its terminal reaches this process too, while pictures are still being answered.
    private static func settleSignals() {
        for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] {
            _ = signal(number, SIG_IGN)
        }
        // If it were ignored, as a parent may have left it, the kernel would reap the children.
        _ = signal(SIGCHLD, SIG_DFL)
    }

    /// How many threads this process has, or nil without a `/proc`.
    static func threadCount() -> Int? {
        var found = stat()
        guard unsafe stat("/proc/self/task", &found) == 0 else { return nil }
        // A directory's links: itself, its name, and one from each directory in it.
        return Int(found.st_nlink) - 2
    }

    private static func complain(_ message: String) {
        let line = Array("undertone-decoder: \(message)\n".utf8)
        _ = unsafe write(STDERR_FILENO, line, line.count)
    }
}
