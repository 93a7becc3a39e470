import Glibc
import UndertoneProtocol

/// The system calls of each profile. SECURITY.md shows the same rows, and a test compares them.
enum SystemCallTable {
    /// The rows of a profile.
    static func rules(for profile: DecoderProfile) -> [SystemCallRule] {
        switch profile {
        case .raster: raster
        case .wide: wide
        }
    }

    /// What a sanitizer asks for beside the rows of a profile; no program that is used has one.
    static let sanitizer: [SystemCallRule] = [
        .allow("sigaltstack", "it looks for the stacks whose marks are out of date")
    ]

    /// What every decoder does: compute, in memory.
    private static let common: [SystemCallRule] = [
        .allow(
            "write", where: [.equal(0, UInt64(ChildDescriptors.report), "fd = report")],
            "sends the report"),
        .allow("close", "ends the use of a descriptor"),
        .allow("fstat", "tells which file is open"),
        .allow("exit", "ends a thread"),
        .allow("exit_group", "ends the child"),
        .allow("brk", "the heap"),
        .allow("munmap", "gives memory back"),
        .allow("mremap", "grows a large block; it cannot make memory executable"),
        .allow("madvise", "gives memory back, or has it found at once"),
        .allow("futex", "locks, and the runtime's one-time initialisation"),
        .allow("rt_sigprocmask", "setjmp() saves them; abort() and new threads block them"),
        .allow("rt_sigreturn", "returns from a signal handler"),
        .allow("sysinfo", "qsort() asks for the size of memory"),
        .allow("getrandom", "seeds hash tables"),
    ]

    private static let raster: [SystemCallRule] =
        common + [
            .allow(
                "read", where: [.equal(0, UInt64(ChildDescriptors.picture), "fd = picture")],
                "reads the picture"),
            .allow(
                "read",
                where: [.with(UInt64(ChildDescriptors.firstThumbnail), in: 0, "fd = thumbnail")],
                "reads a thumbnail of the picture"),
            mapMemory,
        ]

    private static let mapMemory = SystemCallRule.allow(
        "mmap",
        where: [
            .without(protExec, in: 2, "not PROT_EXEC"),
            .with(mapAnonymous, in: 3, "MAP_ANONYMOUS"),
        ], "memory; never code, never a file")

    /// The rows of children that place watches: they look at names and open nothing.
    static let watching: [SystemCallRule] =
        common + [
            mapMemory,
            .allow(
                "openat", where: [.with(pathOnly, in: 2, "O_PATH")],
                "names a place, of which nothing can be read"),
            .allow("fstatfs", "whether its file system has events"),
            .allow("fchdir", "goes on from a directory"),
            .allow("readlinkat", "where a link leads"),
            .allow("inotify_add_watch", where: [watchedInstance], "places a watch"),
            .allow("inotify_rm_watch", where: [watchedInstance], "takes it back after a failure"),
        ]

    private static let watchedInstance = ArgumentCondition.equal(
        0, UInt64(ChildDescriptors.picture), "fd = inotify")

    private static let wide: [SystemCallRule] =
        common + [
            .allow("read", "reads the picture and fonts"),
            .allow(
                "mmap", where: [.without(protExec, in: 2, "not PROT_EXEC")],
                "memory and font files; never code"),
            .allow(
                "mprotect", where: [.without(protExec, in: 2, "not PROT_EXEC")],
                "threads' stacks and heaps"),
            .allow(
                "clone", where: [.equal(0, threadFlags, "flags = a thread's")],
                "HEIC and SVG filters work in threads; never a process"),
            .refuse("clone3", with: ENOSYS, "a filter can't see its flags; clone is tried next"),
            .allow("set_robust_list", "a thread's start"),
            .allow("rseq", "a thread's start"),
            .allow("rt_sigaction", "the C library's own signal for threads"),
            .allow("sched_getaffinity", "how many threads are worth having"),
            .allow("sched_yield", "threads that wait for each other"),
            .allow("prctl", where: [.equal(0, setName, "option = PR_SET_NAME")], "names a thread"),
            .allow(
                "openat", where: [.without(writeFlags, in: 2, "to read only")],
                "fonts; Landlock refuses all other files"),
            .allow(
                "newfstatat", where: [.with(emptyPath, in: 3, "AT_EMPTY_PATH")],
                "a font file's size"),
            .allow(
                "fcntl", where: [.equal(1, setDescriptorFlags, "command = F_SETFD")],
                "close-on-exec on a font file"),
            .pretend("access", "fonts are asked for so; openat decides, and nothing is told"),
            .pretend("faccessat", "the same"),
            .pretend("faccessat2", "the same"),
            .refuse("readlink", with: EACCES, "as if the link could not be read"),
            .refuse("stat", with: EACCES, "as if the file could not be seen"),
            .refuse("statfs", with: EACCES, "as if the file could not be seen"),
        ]

    // The kernel's numbers, where Swift's Glibc module has them in another type or not at all.
    private static let protExec: UInt64 = 4
    private static let mapAnonymous: UInt64 = 0x20
    /// What glibc's `pthread_create` asks `clone` for: VM, FS, FILES, SIGHAND, THREAD, SYSVSEM,
    /// SETTLS, PARENT_SETTID and CHILD_CLEARTID.
    private static let threadFlags: UInt64 = 0x3d_0f00
    /// O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND, O_PATH, and the bit that only O_TMPFILE has.
    private static let writeFlags: UInt64 = 0x60_0643
    private static let pathOnly: UInt64 = 0x20_0000
    private static let emptyPath: UInt64 = 0x1000
    private static let setName: UInt64 = 15
    private static let setDescriptorFlags: UInt64 = 2
}
