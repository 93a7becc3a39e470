import CSeccomp
import Glibc
import Testing
import UndertoneProtocol

@testable import UndertoneDecoding

@Suite struct SystemCallTableTests {
    private static let tables =
        DecoderProfile.allCases.map(SystemCallTable.rules) + [SystemCallTable.watching]

    @Test(arguments: tables)
    func everyRowNamesACallOnceAndSaysWhy(_ rules: [SystemCallRule]) {
        for rule in rules {
            #expect(unsafe seccomp_syscall_resolve_name(rule.name) != -1, "\(rule.name)")
            #expect(rule.reason.count > 5, "\(rule.name)")
            for condition in rule.conditions {
                #expect(condition.argument < 6)
                // A value outside its mask could never match.
                #expect(condition.value & condition.mask == condition.value, "\(rule.name)")
                #expect(!condition.text.isEmpty)
            }
        }
        // One call may have several rows, each of which lets some of it through.
        #expect(Set(rules.map { $0.cells[..<2] }).count == rules.count)
        for rule in rules where rules.count(where: { $0.name == rule.name }) > 1 {
            #expect(rule.answer == .allow && !rule.conditions.isEmpty, "\(rule.name)")
        }
    }

    @Test(arguments: tables)
    func noTableAdmitsAWayOut(_ rules: [SystemCallRule]) {
        let ways: Set<String> = [
            "execve", "execveat", "fork", "vfork", "clone3", "socket", "connect", "bind", "listen",
            "accept", "accept4", "sendto", "sendmsg", "sendmmsg", "recvmsg", "ptrace",
            "process_vm_readv", "process_vm_writev", "pidfd_open", "pidfd_getfd", "kill", "tkill",
            "tgkill", "open", "creat", "openat2", "open_by_handle_at", "unlink", "unlinkat",
            "rename", "renameat2", "link", "linkat", "symlink", "mkdir", "mknod", "chmod", "fchmod",
            "chown", "truncate", "ftruncate", "ioctl", "mount", "umount2", "pivot_root", "chroot",
            "unshare", "setns", "bpf", "perf_event_open", "userfaultfd", "io_uring_setup",
            "io_uring_enter", "keyctl", "add_key", "memfd_create", "setrlimit", "prlimit64",
            "shmget", "shmat", "msgsnd", "personality", "seccomp", "init_module", "kexec_load",
        ]
        let admitted = rules.filter { $0.answer == .allow }
        #expect(Set(admitted.map(\.name)).isDisjoint(with: ways))
    }

    @Test func rasterPicturesOpenNothingAndStartNothing() {
        let names = Set(SystemCallTable.rules(for: .raster).map(\.name))
        #expect(names.isDisjoint(with: ["openat", "clone", "newfstatat", "mprotect", "prctl"]))
        #expect(
            names == [
                "read", "write", "close", "fstat", "exit", "exit_group", "brk", "mmap", "munmap",
                "mremap", "madvise", "futex", "rt_sigprocmask", "rt_sigreturn", "sysinfo",
                "getrandom",
            ])
    }

    @Test func watchesArePlacedByOneWhoReadsNothing() {
        let names = Set(SystemCallTable.watching.map(\.name))
        #expect(names.isDisjoint(with: ["read", "pread64", "readv", "getdents64", "sendmsg"]))
        let openings = SystemCallTable.watching.filter { $0.name == "openat" }
        // O_PATH, in the flags.
        #expect(openings.map(\.conditions) == [[.with(0x20_0000, in: 2, "O_PATH")]])
    }

    @Test func compilesToASmallFilter() throws {
        // Each instruction has eight bytes, and a BPF program at most 4096 of them.
        for rules in Self.tables {
            let filter = try SystemCallFilter(rules)
            #expect(filter.instructionCount > rules.count)
            #expect(filter.instructionCount < 400)
        }
    }

    @Test func aSanitizerGetsNothingThatReachesOut() {
        #expect(SystemCallTable.sanitizer.map(\.name) == ["sigaltstack"])
        for profile in DecoderProfile.allCases {
            #expect(!SystemCallTable.rules(for: profile).contains { $0.name == "sigaltstack" })
        }
    }

    @Test func refusesACallThatDoesNotExist() {
        let rule = SystemCallRule.allow("read_minds", "it would be useful")
        #expect(throws: (any Error).self) { try SystemCallFilter([rule]) }
    }
}
