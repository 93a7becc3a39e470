import CLinux
import GLibSupport
import Glibc
import UndertoneColor
import UndertoneProtocol

/// The process that holds the loaders and forks a child for each picture.
///
/// It never reads a user's picture itself. It stays single-threaded, because only then is `fork`
/// safe: nothing here may start the concurrency runtime or one of GLib's worker threads.
///
/// The daemon gives it `SWIFT_BACKTRACE=enable=no`: the runtime reads that before the first line
/// here runs, and without it a child that traps would start a backtracer.
public enum Zygote {
    /// Does the whole of `undertone-decoder`, with this process's command line.
    public static func run() -> Int32 {
        main(arguments: Environment.commandLine)
    }

    /// Does the whole of `undertone-decoder`.
    ///
    /// - Parameter arguments: The command line, the program's name first.
    /// - Returns: The exit code: 0 when the daemon has ended, 1 after a failure, 2 for a wrong
    ///   command line.
    static func main(arguments: [[UInt8]]) -> Int32 {
        ProcessEnvironment.tidy()
        let command: ZygoteCommand
        do throws(OptionFailure) {
            command = try ZygoteCommand(arguments)
        } catch {
            complain("\(error.message); see --help")
            return 2
        }
        switch command {
        case .version:
            print("undertone-decoder \(Version.current)")
            return 0
        case .checkSandbox(let options):
            return check(options)
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
        try settleDescriptors()
        settleSignals()
        let loaders = LoaderList()
        let (formats, example) = try prepare(options.profile)
        let sandbox = try Sandbox(options) { confinement throws(SystemError) in
            try confinement.prove(options.profile, example: example)
        }
        let capabilities = DecoderCapabilities(
            formats: formats, landlock: sandbox.landlock, seccomp: sandbox.seccomp)
        try channel.send(.ready(capabilities))
        // Clients are answered what the daemon knows while this goes on.
        try prepareChildren(options.profile, formats)
        var loop = try ZygoteLoop(
            channel: channel, profile: options.profile, sandbox: sandbox, loaders: loaders)
        try channel.send(.prepared)
        try loop.run()
    }

    /// Does `--check-sandbox`.
    private static func check(_ options: ZygoteOptions) -> Int32 {
        do throws(SystemError) {
            try settleDescriptors()
            let (_, example) = try prepare(options.profile)
            let proof = try Confinement(options, mechanisms: options.mechanisms)
                .prove(options.profile, example: example)
            let check = SandboxCheck(
                profile: options.profile, mechanisms: options.mechanisms, proof: proof)
            print(check.text)
            guard let fault = check.fault else { return 0 }
            complain("the sandbox does not hold: \(fault)")
        } catch {
            complain(error.description)
        }
        return 1
    }

    /// Gets ready what the daemon waits for, and what the sandbox is proved with.
    ///
    /// - Returns: The formats of this machine, and an example of one that the profile decodes.
    private static func prepare(
        _ profile: DecoderProfile
    ) throws(SystemError) -> (Set<ImageFormat>, ExamplePicture?) {
        LoaderMessages.drop()
        // A large picture's memory goes back as soon as it is freed.
        clinux_map_blocks_from(Int32(Limits.mappedBlockBytes))

        let formats = PictureDecoder.installedFormats()
        switch profile {
        case .raster:
            PictureDecoder.preload(examples(profile, formats).map(\.format))
        case .wide:
            PictureDecoder.preload(ImageFormat.allCases)
            // An SVG's text would start a thread here. The library comes with the loader.
            Fontconfig.initialize()
        }
        try requireOneThread()
        try LandlockRuleset.place(for: profile)
        return (formats, examples(profile, formats).first)
    }

    /// Gets everything else ready that children share. A coder of AV1 alone comes with some thirty
    /// libraries, which take a third of the start.
    private static func prepareChildren(
        _ profile: DecoderProfile, _ formats: Set<ImageFormat>
    ) throws(SystemError) {
        guard profile == .raster else { return }
        PictureDecoder.preload(ImageFormat.allCases.filter { !$0.needsWideProfile })
        for example in examples(profile, formats) { try example.warmUp(profile) }
        try requireOneThread()
    }

    private static func examples(
        _ profile: DecoderProfile, _ formats: Set<ImageFormat>
    ) -> [ExamplePicture] {
        ExamplePicture.all(for: profile).filter { formats.contains($0.format) }
    }

    private static func requireOneThread() throws(SystemError) {
        guard threadCount() ?? 1 == 1 else {
            throw SystemError(EDEADLK, "a picture loader has started a thread, so forking")
        }
    }

    /// Puts the zygote's descriptors where `ChildDescriptors` has them, and closes all that was
    /// inherited by mistake.
    private static func settleDescriptors() throws(SystemError) {
        closefrom(ChildDescriptors.picture)
        // This also fills the standard descriptors if they are missing, and the socket's place when
        // there is none, so that no pipe or picture gets one of their numbers.
        var null: Int32 = -1
        while null < ChildDescriptors.picture {
            null = try retrying("opening /dev/null") {
                unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
            }
        }
    }

    /// Leaves the decision to end to the daemon, which says so by closing the socket: a Ctrl-C on
    /// its terminal reaches this process too, while pictures are still being answered.
    private static func settleSignals() {
        for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] {
            _ = signal(number, SIG_IGN)
        }
        // A parent may have left them ignored or blocked: then the kernel would reap the children,
        // and neither the processor's time nor the alarm would end one.
        for number in [SIGCHLD, SIGXCPU, SIGALRM] { _ = signal(number, SIG_DFL) }
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigprocmask(SIG_SETMASK, &none, nil)
    }

    /// How many threads this process has, or nil without a `/proc`.
    static func threadCount() -> Int? {
        var found = stat()
        guard unsafe stat("/proc/self/task", &found) == 0 else { return nil }
        // A directory's links: itself, its name, and one from each directory in it.
        return Int(found.st_nlink) - 2
    }

    private static func complain(_ message: String) {
        let priority = ServiceManager.hasJournal(on: STDERR_FILENO) ? "<3>" : ""
        let line = Array("\(priority)undertone-decoder: \(printable(message))\n".utf8)
        _ = unsafe write(STDERR_FILENO, line, line.count)
    }
}
