import CLinux
import CSeccomp
import GLibSupport
import Glibc
import UndertoneProtocol

/// Something that a picture which has taken over its child would try, as one system call.
///
/// None does any harm where it succeeds, and none fails with EPERM or EACCES by itself, so either
/// of these shows that the sandbox refused it.
struct EscapeAttempt: Sendable {
    /// What is tried, to go after "a child may".
    var purpose: String
    /// The kernel's name for the call.
    var call: String
    var arguments: [Argument]
    /// Whether Landlock refuses it without help.
    var isRefusedByLandlock = false
    /// The profiles whose filter refuses it without help.
    var isRefusedByFilterOf: Set<DecoderProfile> = [.raster, .wide]

    enum Argument: Sendable {
        case number(Int)
        case text(StaticString)
        case parent
    }

    /// The attempts, from those that a picture would gain most by.
    static let all = [
        EscapeAttempt(
            purpose: "open a file", call: "openat",
            arguments: [workingFolder, .text("/dev/null"), .number(Int(O_RDONLY))],
            isRefusedByLandlock: true, isRefusedByFilterOf: [.raster]),
        EscapeAttempt(
            purpose: "list a folder", call: "openat",
            arguments: [workingFolder, .text("/"), .number(Int(O_RDONLY | O_DIRECTORY))],
            isRefusedByLandlock: true, isRefusedByFilterOf: [.raster]),
        EscapeAttempt(
            purpose: "open a file for writing", call: "openat",
            arguments: [workingFolder, .text("/dev/null"), .number(Int(O_WRONLY))],
            isRefusedByLandlock: true),
        EscapeAttempt(
            purpose: "make a folder", call: "mkdirat",
            arguments: [workingFolder, .text("/dev/null/folder"), .number(0o700)]),
        EscapeAttempt(
            purpose: "remove a file", call: "unlinkat",
            arguments: [workingFolder, .text("/dev/null/file"), .number(0)]),
        EscapeAttempt(
            purpose: "make an Internet socket", call: "socket",
            arguments: [.number(Int(AF_INET)), .number(Int(SOCK_STREAM.rawValue)), .number(0)]),
        EscapeAttempt(
            purpose: "make a local socket", call: "socket",
            arguments: [.number(Int(AF_UNIX)), .number(Int(SOCK_STREAM.rawValue)), .number(0)]),
        EscapeAttempt(purpose: "connect", call: "connect", arguments: [.number(-1)]),
        EscapeAttempt(
            purpose: "send a descriptor", call: "sendmsg",
            arguments: [.number(Int(ChildDescriptors.report)), .number(0), .number(0)]),
        EscapeAttempt(
            purpose: "write to anything but the report", call: "write",
            arguments: [.number(Int(STDERR_FILENO)), .text(""), .number(0)]),
        EscapeAttempt(
            purpose: "run a program", call: "execve", arguments: [.text("/dev/null/program")]),
        EscapeAttempt(
            purpose: "start a process", call: "clone", arguments: [.number(Int(SIGCHLD))]),
        EscapeAttempt(
            purpose: "signal another process", call: "kill", arguments: [.parent, .number(0)]),
        EscapeAttempt(
            purpose: "trace another process", call: "ptrace",
            arguments: [.number(peekUser), .number(0)]),
        EscapeAttempt(
            purpose: "map executable memory", call: "mmap",
            arguments: [
                .number(0), .number(4096), .number(Int(PROT_READ | PROT_EXEC)),
                .number(Int(MAP_PRIVATE) | mapAnonymous), .number(-1), .number(0),
            ]),
        EscapeAttempt(
            purpose: "make memory executable", call: "mprotect",
            arguments: [.number(0), .number(0), .number(Int(PROT_EXEC))]),
        EscapeAttempt(
            purpose: "enter another namespace", call: "unshare", arguments: [.number(0)]),
        EscapeAttempt(
            purpose: "change its limits", call: "prlimit64", arguments: [.number(0), .number(0)]),
        EscapeAttempt(
            purpose: "control a device", call: "ioctl", arguments: [.number(0), .number(0)]),
    ]

    // The kernel's numbers that Swift's Glibc module does not have.
    /// AT_FDCWD.
    private static let workingFolder = Argument.number(-100)
    /// PTRACE_PEEKUSER.
    private static let peekUser = 3
    /// MAP_ANONYMOUS.
    private static let mapAnonymous = 0x20

    /// Whether the mechanisms are to refuse it in a profile.
    func isRefused(by mechanisms: Set<SandboxMechanism>, in profile: DecoderProfile) -> Bool {
        isRefusedByLandlock && mechanisms.contains(.landlock)
            || isRefusedByFilterOf.contains(profile) && mechanisms.contains(.seccomp)
    }

    /// Makes the call, and undoes what it did.
    ///
    /// - Returns: The error number, 0 if it succeeded.
    func run() -> Int32 {
        let number = unsafe seccomp_syscall_resolve_name(call)
        var words = arguments.map { argument in
            switch argument {
            case .number(let number): number
            case .text(let text): unsafe Int(bitPattern: text.utf8Start)
            case .parent: Int(getppid())
            }
        }
        words += [Int](repeating: 0, count: 6 - words.count)
        let result = clinux_system_call(
            Int(number), words[0], words[1], words[2], words[3], words[4], words[5])
        if result < 0 { return Int32(-result) }
        switch call {
        case "clone" where result == 0: _exit(0)
        case "openat", "socket": close(Int32(result))
        default: break
        }
        return 0
    }
}
