#define _GNU_SOURCE

#include "clinux.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef RESOLVE_CACHED
#define RESOLVE_CACHED CLINUX_RESOLVE_CACHED
#endif
// From Linux 5.14 on; an older kernel answers EINVAL.
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

_Static_assert(CLINUX_O_PATH == O_PATH && CLINUX_NO_NEW_PRIVS == PR_SET_NO_NEW_PRIVS,
               "the header's numbers are the kernel's");

static char **arguments;

// glibc hands main's own arguments to constructors.
__attribute__((constructor)) static void keep_arguments(int count, char **vector) {
    (void)count;
    arguments = vector;
}

char **clinux_arguments(void) { return arguments; }

static long or_errno(long result) { return result < 0 ? -errno : result; }

int clinux_openat2(const char *path, int flags, uint64_t resolve) {
    struct open_how how = {.flags = (uint64_t)flags | O_CLOEXEC, .resolve = resolve};
    return (int)or_errno(syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how));
}

static int64_t nanoseconds(struct statx_timestamp time) {
    return time.tv_sec * 1000000000 + time.tv_nsec;
}

int clinux_identify(int fd, struct clinux_identity *out) {
    struct statx s;
    if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_BASIC_STATS, &s) < 0) return -errno;
    *out = (struct clinux_identity){
        .device = makedev(s.stx_dev_major, s.stx_dev_minor),
        .inode = s.stx_ino,
        .size = s.stx_size,
        .modified = nanoseconds(s.stx_mtime),
        .changed = nanoseconds(s.stx_ctime),
        .mode = s.stx_mode,
    };
    return 0;
}

int clinux_fstat_identity(int fd, struct clinux_identity *out) {
    // On 64-bit Linux the kernel's stat structure is the C library's.
    _Static_assert(sizeof(long) == 8, "the raw fstat fills another structure on 32-bit machines");
    struct stat s;
    if (syscall(SYS_fstat, fd, &s) < 0) return -errno;
    *out = (struct clinux_identity){
        .device = s.st_dev,
        .inode = s.st_ino,
        .size = (uint64_t)s.st_size,
        .modified = s.st_mtim.tv_sec * 1000000000 + s.st_mtim.tv_nsec,
        .changed = s.st_ctim.tv_sec * 1000000000 + s.st_ctim.tv_nsec,
        .mode = s.st_mode,
    };
    return 0;
}

int clinux_file_system(int fd, uint64_t *type) {
    struct statfs s;
    if (fstatfs(fd, &s) < 0) return -errno;
    // The field is signed and the kernel's numbers have 32 bits: no sign may be carried along.
    *type = (uint32_t)s.f_type;
    return 0;
}

union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int) * CLINUX_MAX_FDS)];
};

long clinux_send(int socket, const void *bytes, size_t length, const int *fds, int fd_count) {
    if (fd_count < 0 || fd_count > CLINUX_MAX_FDS) return -EINVAL;
    union control control = {0};
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (fd_count > 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)fd_count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)fd_count);
        memcpy(CMSG_DATA(header), fds, sizeof(int) * (size_t)fd_count);
    }
    return or_errno(sendmsg(socket, &message, MSG_NOSIGNAL));
}

long clinux_receive(int socket, void *bytes, size_t length, int *fds, int *fd_count) {
    union control control;
    int room = *fd_count;
    *fd_count = 0;
    struct iovec part = {.iov_base = bytes, .iov_len = length};
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = sizeof control.bytes,
    };
    ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (received < 0) return -errno;

    int surplus = 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
            if (*fd_count < room) {
                fds[(*fd_count)++] = fd;
            } else {
                close(fd);
                surplus = 1;
            }
        }
    }
    if (surplus || (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC))) {
        while (*fd_count > 0) close(fds[--*fd_count]);
        return -EMSGSIZE;
    }
    return received;
}

int clinux_pidfd_open(int pid) { return (int)or_errno(syscall(SYS_pidfd_open, pid, 0)); }

int clinux_pidfd_kill(int pidfd, int signal) {
    return (int)or_errno(syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0));
}

int clinux_pipe(int *ends) { return (int)or_errno(pipe2(ends, O_CLOEXEC)); }

int clinux_reap(int *code, int *signal) {
    int status;
    pid_t pid = waitpid(-1, &status, WNOHANG);
    if (pid < 0) return errno == ECHILD ? 0 : -errno;
    if (pid == 0) return 0;
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    *signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return pid;
}

void clinux_map_blocks_from(int bytes) {
    mallopt(M_MMAP_THRESHOLD, bytes);
    // What is below goes back with the process, not time and again in between.
    mallopt(M_TRIM_THRESHOLD, 8 * bytes);
    mallopt(M_TOP_PAD, bytes / 4);
}

void clinux_prefer_huge_pages(size_t bytes) {
    // Every block comes from the heap, which grows by enough for all of them, and only once.
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_TOP_PAD, bytes < INT_MAX ? (int)bytes : INT_MAX);
    uintptr_t before = (uintptr_t)sbrk(0);
    // Volatile: a block that nobody uses need not be had.
    void *volatile block = malloc(1 << 20);
    free(block);
    uintptr_t after = (uintptr_t)sbrk(0), page = (uintptr_t)sysconf(_SC_PAGESIZE);
    mallopt(M_TOP_PAD, 1 << 20);
    uintptr_t start = (before + page - 1) / page * page;
    // A kernel without them goes on with small ones.
    if (after > start) madvise((void *)start, after - start, MADV_HUGEPAGE);
}

void clinux_populate(void *start, size_t length) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)start + page - 1) / page * page;
    uintptr_t last = ((uintptr_t)start + length) / page * page;
    if (last > first) madvise((void *)first, last - first, MADV_POPULATE_WRITE);
}

void clinux_ready_heap(size_t bytes) {
    void *block = malloc(bytes);
    if (block) clinux_populate(block, bytes);
    free(block);
}

int clinux_is_sanitized(void) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return 1;
#endif
#endif
    return 0;
}

const char *clinux_library_of(const void *symbol) {
    Dl_info info;
    return dladdr(symbol, &info) ? info.dli_fname : NULL;
}

int clinux_prctl(int option, unsigned long argument) {
    return (int)or_errno(prctl(option, argument, 0, 0, 0));
}

int clinux_peer_uid(int socket, unsigned int *uid) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0) return -errno;
    *uid = peer.uid;
    return 0;
}

int clinux_signalfd(const int *signals, int count) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < count; i++) sigaddset(&set, signals[i]);
    if (sigprocmask(SIG_BLOCK, &set, NULL) < 0) return -errno;
    return (int)or_errno(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

int clinux_accept(int listener) {
    return (int)or_errno(accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

_Static_assert(CLINUX_POLL_IN == EPOLLIN && CLINUX_POLL_OUT == EPOLLOUT &&
                   CLINUX_POLL_ERROR == EPOLLERR && CLINUX_POLL_HANG_UP == EPOLLHUP &&
                   CLINUX_POLL_PEER_CLOSED == EPOLLRDHUP,
               "the header's numbers are the kernel's");

int clinux_epoll_create(void) { return (int)or_errno(epoll_create1(EPOLL_CLOEXEC)); }

static int epoll_change(int epoll, int operation, int fd, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data.u64 = token};
    return (int)or_errno(epoll_ctl(epoll, operation, fd, &event));
}

int clinux_epoll_add(int epoll, int fd, uint32_t events, uint64_t token) {
    return epoll_change(epoll, EPOLL_CTL_ADD, fd, events, token);
}

int clinux_epoll_modify(int epoll, int fd, uint32_t events, uint64_t token) {
    return epoll_change(epoll, EPOLL_CTL_MOD, fd, events, token);
}

int clinux_epoll_remove(int epoll, int fd) { return epoll_change(epoll, EPOLL_CTL_DEL, fd, 0, 0); }

int clinux_epoll_wait(int epoll, struct clinux_event *events, int milliseconds) {
    struct epoll_event waiting[CLINUX_MAX_EVENTS];
    int count = epoll_wait(epoll, waiting, CLINUX_MAX_EVENTS, milliseconds);
    for (int i = 0; i < count; i++) {
        events[i] = (struct clinux_event){waiting[i].data.u64, waiting[i].events};
    }
    return (int)or_errno(count);
}

long clinux_system_call(long number, long a, long b, long c, long d, long e, long f) {
    return or_errno(syscall(number, a, b, c, d, e, f));
}

int clinux_memfd(const char *name) { return (int)or_errno(memfd_create(name, MFD_CLOEXEC)); }

int clinux_install_filter(const void *instructions, size_t length) {
    struct sock_fprog program = {
        .len = (unsigned short)(length / sizeof(struct sock_filter)),
        .filter = (struct sock_filter *)instructions,
    };
    if (length % sizeof(struct sock_filter) || program.len * sizeof(struct sock_filter) != length)
        return -EINVAL;
    return (int)or_errno(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program));
}

// The numbers are the same on every architecture that has the calls.
#define LANDLOCK_CREATE_RULESET 444
#define LANDLOCK_ADD_RULE 445
#define LANDLOCK_RESTRICT_SELF 446

int clinux_landlock_abi(void) {
    return (int)or_errno(syscall(LANDLOCK_CREATE_RULESET, NULL, 0, 1 /* ..._VERSION */));
}

int clinux_landlock_create(const struct clinux_landlock *handled) {
    return (int)or_errno(syscall(LANDLOCK_CREATE_RULESET, handled, sizeof *handled, 0));
}

int clinux_landlock_allow(int ruleset, int place, uint64_t files) {
    struct {
        uint64_t allowed;
        int32_t parent;
    } __attribute__((packed)) rule = {.allowed = files, .parent = place};
    return (int)or_errno(syscall(LANDLOCK_ADD_RULE, ruleset, 1 /* ..._PATH_BENEATH */, &rule, 0));
}

int clinux_landlock_restrict(int ruleset) {
    return (int)or_errno(syscall(LANDLOCK_RESTRICT_SELF, ruleset, 0));
}
