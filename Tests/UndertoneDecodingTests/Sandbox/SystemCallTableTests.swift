import CSeccomp
import Glibc
import Testing
import UndertoneProtocol

@testable import UndertoneDecoding

@Suite struct SystemCallTableTests {
    @Test(arguments: DecoderProfile.allCases)
    func everyRowNamesACallOnceAndSaysWhy(_ profile: DecoderProfile) {
        let rules = SystemCallTable.rules(for: profile)
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
        #expect(Set(rules.map(\.name)).count == rules.count)
    }

    @Test(arguments: DecoderProfile.allCases)
    func noTableAdmitsAWayOut(_ profile: DecoderProfile) {
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
        let admitted = SystemCallTable.rules(for: profile).filter { $0.answer == .allow }
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

    @Test func compilesToASmallFilter() throws {
        // Each instruction has eight bytes, and a BPF program at most 4096 of them.
        for profile in DecoderProfile.allCases {
            let filter = try SystemCallFilter(SystemCallTable.rules(for: profile))
            #expect(filter.instructionCount > SystemCallTable.rules(for: profile).count)
            #expect(filter.instructionCount < 400)
        }
    }

    @Test func refusesACallThatDoesNotExist() {
        let rule = SystemCallRule.allow("read_minds", "it would be useful")
        #expect(throws: (any Error).self) { try SystemCallFilter([rule]) }
    }
}
