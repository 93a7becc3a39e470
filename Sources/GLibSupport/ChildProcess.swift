import CLinux
import Glibc

/// A program that this process started and reaps.
@MainContext
public final class ChildProcess {
    /// How a process ended.
    public enum Ending: Equatable, Sendable {
        /// It exited with this code.
        case exited(Int32)
        /// This signal ended it.
        case signalled(Int32)
    }

    /// The process's number, its own until `ending` is known.
    public nonisolated let pid: Int32
    /// How it ended, once it has.
    public private(set) var ending: Ending?
    private let pidfd: SharedDescriptor
    private var watch: FileWatch?

    /// How a process is watched; tests let it fail.
    typealias Watcher =
        @MainContext (Int32, @escaping FileWatch.Handler) throws(SystemError) -> FileWatch

    /// Starts a program.
    ///
    /// The child gets `descriptors` (its number for each of ours), `/dev/null` as standard input,
    /// our standard output and error, no other descriptor that is close-on-exec, no blocked
    /// signal and every signal's default action. `onEnd` runs once, after the child was reaped.
    public convenience init(
        program: [UInt8], arguments: [[UInt8]], environment: [[UInt8]],
        descriptors: [(ours: Int32, theirs: Int32)],
        onEnd: @escaping @MainContext (Ending) -> Void
    ) throws(SystemError) {
        try self.init(
            pid: try spawn(program, [program] + arguments, environment, descriptors),
            watcher: { number, handler throws(SystemError) in
                try FileWatch(number, for: .readable, handler: handler)
            }, onEnd: onEnd)
    }

    /// Takes over a child of this process, which is ended if it cannot be watched.
    init(
        pid: Int32, watcher: Watcher, onEnd: @escaping @MainContext (Ending) -> Void
    ) throws(SystemError) {
        self.pid = pid
        do throws(SystemError) {
            // The pid cannot have been used again: only this object reaps it.
            let number = try checking("pidfd_open") { clinux_pidfd_open(pid) }
            pidfd = SharedDescriptor(Descriptor(owning: number))
        } catch {
            Self.bury(pid)
            throw error
        }
        do throws(SystemError) {
            // It keeps this object alive until the child is reaped: nobody else would do it.
            watch = try watcher(pidfd.number) { _ in
                if let ending = self.reap() { onEnd(ending) }
            }
        } catch {
            Self.bury(pid)
            throw error
        }
    }

    /// Ends a child that nobody is going to know of.
    private static func bury(_ pid: Int32) {
        Glibc.kill(pid, SIGKILL)
        _ = try? retrying("waitpid") { waitpid(pid, nil, 0) }
    }

    /// Sends a signal, unless the process is gone.
    public func kill(_ signal: Int32) {
        guard ending == nil else { return }
        _ = clinux_pidfd_kill(pidfd.number, signal)
    }

    private func reap() -> Ending? {
        var status: Int32 = 0
        guard ending == nil, unsafe waitpid(pid, &status, WNOHANG) == pid else { return nil }
        watch?.cancel()
        watch = nil
        // The macros that take a status apart are not importable.
        let signal = status & 0x7f
        let ending: Ending = signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal)
        self.ending = ending
        return ending
    }
}

/// `posix_spawn`, which starts no thread and copies no page table.
private func spawn(
    _ program: [UInt8], _ arguments: [[UInt8]], _ environment: [[UInt8]],
    _ descriptors: [(ours: Int32, theirs: Int32)]
) throws(SystemError) -> Int32 {
    // Moved out of the way of every number that the child is to have, so that no dup2 of the
    // list overwrites a later one's source.
    let floor = (descriptors.map(\.theirs).max() ?? 2) + 1
    var sources: [SharedDescriptor] = []
    for (ours, _) in descriptors {
        let copy = try retrying("dup") { fcntl(ours, F_DUPFD_CLOEXEC, floor) }
        sources.append(SharedDescriptor(Descriptor(owning: copy)))
    }

    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for (source, (_, theirs)) in zip(sources, descriptors) {
        unsafe posix_spawn_file_actions_adddup2(&actions, source.number, theirs)
    }

    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    let path = program.cString
    let argv = CStringList(arguments)
    let envp = CStringList(environment)
    var pid: Int32 = 0
    let failure = withExtendedLifetime((argv, envp, sources)) {
        unsafe posix_spawn(
            &pid, path, &actions, &attributes, argv.pointers, envp.pointers)
    }
    guard failure == 0 else { throw SystemError(failure, "posix_spawn") }
    return pid
}

/// A null-terminated array of C strings, as `argv` and `environ` are.
@safe
private final class CStringList {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ strings: [[UInt8]]) {
        count = strings.count
        unsafe pointers = .allocate(capacity: count + 1)
        for (index, string) in strings.enumerated() {
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: string.count + 1)
            for (offset, byte) in string.enumerated() {
                unsafe (copy + offset).initialize(to: CChar(bitPattern: byte))
            }
            unsafe (copy + string.count).initialize(to: 0)
            unsafe (pointers + index).initialize(to: copy)
        }
        unsafe (pointers + count).initialize(to: nil)
    }

    deinit {
        for index in 0..<count { unsafe pointers[index]?.deallocate() }
        unsafe pointers.deallocate()
    }
}
