// The few calls that Swift cannot make: variadic functions, function-like macros and system calls
// that Debian 12's C library does not wrap. Each returns -errno on failure and retries nothing.
//
// No feature-test macro is set here: _GNU_SOURCE in an imported header changes the types of bind
// and connect for everything that imports it. The .c file sets it for itself. Nor is any header
// included that defines structs, such as sys/types.h, and so pids and sizes are plain integers:
// in Swift a struct's members belong to the module that included it first, and it would depend on
// which files are compiled together whether timeval is Glibc's or ours.

#pragma once

#include <linux/prctl.h>
#include <stddef.h>
#include <stdint.h>

// Opens a path with openat2. `resolve` takes CLINUX_RESOLVE_CACHED: fail with -EAGAIN rather than
// leave the kernel's own caches.
int clinux_openat2(const char *path, int flags, uint64_t resolve);
#define CLINUX_RESOLVE_CACHED 0x20
#define CLINUX_O_PATH 010000000 // O_PATH needs _GNU_SOURCE

// Tells a file's type and identity from an open descriptor without asking a remote server.
struct clinux_identity {
    uint64_t device, inode, size;
    int64_t modified, changed; // nanoseconds since the epoch
    uint32_t mode;             // st_mode
};
int clinux_identify(int fd, struct clinux_identity *out);
// The same by the raw fstat, for the decoder's child: its system-call filter admits neither statx
// nor what the C library's fstat() makes, newfstatat.
int clinux_fstat_identity(int fd, struct clinux_identity *out);

// The kind of file system that an open descriptor is on, as statfs(2) numbers them; statfs's header
// defines structs.
int clinux_file_system(int fd, uint64_t *type);

// Sends one packet with up to CLINUX_MAX_FDS descriptors. CMSG_* are macros.
#define CLINUX_MAX_FDS 4
long clinux_send(int socket, const void *bytes, size_t length, const int *fds, int fd_count);
// Receives one packet, its descriptors close-on-exec. `*fd_count` is room on the way in, and the
// number received on the way out; -EMSGSIZE if either the packet or its descriptors were cut.
long clinux_receive(int socket, void *bytes, size_t length, int *fds, int *fd_count);

int clinux_pidfd_open(int pid);
int clinux_pidfd_kill(int pidfd, int signal);

// The two ends of a pipe, close-on-exec; pipe2 needs _GNU_SOURCE.
int clinux_pipe(int *ends);

// Reaps one child that is gone: its pid and its exit code or signal, or 0 while there is none.
// WIFEXITED and its like are macros.
int clinux_reap(int *code, int *signal);

// Has blocks of this size and above mapped and unmapped one by one, so that the memory of a large
// picture goes back; mallopt's header is not in Swift's Glibc module.
void clinux_map_blocks_from(int bytes);

// Has the next so many bytes of blocks come from huge pages, where the kernel has some: zeroing a
// large picture's memory page by page takes as long as decoding it. Nothing goes back before the
// process ends. mallopt again, and madvise's numbers are macros of another module.
void clinux_prefer_huge_pages(size_t bytes);

// Has the kernel find memory for whole pages of a block at once, before they are touched: a fault
// for each costs as much again as the page. Where it cannot, they are found when they are touched.
void clinux_populate(void *start, size_t length);

// Does so for the next so many bytes of blocks that are too small to be mapped one by one.
void clinux_ready_heap(size_t bytes);

// Whether a sanitizer is compiled in, whose shadow memory no RLIMIT_DATA can hold; Swift has no
// condition for it.
int clinux_is_sanitized(void);

// prctl is variadic.
int clinux_prctl(int option, unsigned long argument);
#define CLINUX_NO_NEW_PRIVS 38 // PR_SET_NO_NEW_PRIVS

// The uid of a connected Unix socket's peer; struct ucred needs _GNU_SOURCE.
int clinux_peer_uid(int socket, unsigned int *uid);

// A signalfd for the signals in the list, which are blocked in this thread.
int clinux_signalfd(const int *signals, int count);

// Accepts a connection, close-on-exec and non-blocking; accept4 needs _GNU_SOURCE.
int clinux_accept(int listener);

// epoll, which Swift's Glibc module leaves out. `events` are CLINUX_POLL_*, level-triggered.
#define CLINUX_POLL_IN 0x001
#define CLINUX_POLL_OUT 0x004
#define CLINUX_POLL_ERROR 0x008
#define CLINUX_POLL_HANG_UP 0x010
#define CLINUX_POLL_PEER_CLOSED 0x2000
struct clinux_event {
    uint64_t token;
    uint32_t events;
};
int clinux_epoll_create(void);
int clinux_epoll_add(int epoll, int fd, uint32_t events, uint64_t token);
int clinux_epoll_modify(int epoll, int fd, uint32_t events, uint64_t token);
int clinux_epoll_remove(int epoll, int fd);
// Fetches at most CLINUX_MAX_EVENTS events, waiting for the first one as long as poll(2) would.
#define CLINUX_MAX_EVENTS 64
int clinux_epoll_wait(int epoll, struct clinux_event *events, int milliseconds);

// Any system call by its number, to see whether a sandbox refuses it; syscall is variadic.
long clinux_system_call(long number, long a, long b, long c, long d, long e, long f);

// What the program was started with, up to a NULL: Swift reads it from /proc, which sandboxes may not
// have.
char **clinux_arguments(void);

// The file of the library that a symbol is in, or NULL; dladdr needs _GNU_SOURCE.
const char *clinux_library_of(const void *symbol);

// A file in memory; memfd_create needs _GNU_SOURCE.
int clinux_memfd(const char *name);

// Puts a system-call filter, exported by libseccomp, in force for this thread and those that it
// starts. seccomp has no wrapper; libseccomp's own loading compiles the filter again each time.
int clinux_install_filter(const void *instructions, size_t length);

// Landlock has no wrappers, and Debian 12's header ends with ABI 2, so the structures are here. A
// kernel takes a longer one than it knows as long as the rest is zero.
struct clinux_landlock {
    uint64_t files, network, scopes;
};
int clinux_landlock_abi(void);
int clinux_landlock_create(const struct clinux_landlock *handled);
// Grants rights on what lies beneath an open directory.
int clinux_landlock_allow(int ruleset, int place, uint64_t files);
int clinux_landlock_restrict(int ruleset);
