// Asks a line server the same question again and again, and prints one figure.
//
//   ask SOCKET LINE pingpong N       median nanoseconds from question to whole answer
//   ask SOCKET LINE pipelined N      answers a second, 64 questions ahead
//   ask SOCKET LINE connections N    answers a second, 64 connections, one question each at a time
//   ask SOCKET LINE connect N        answers a second, a new connection for each
//   ask SOCKET LINE varied N         the same as pingpong, no two questions alike: of LINE, each @ is
//                                    the question's number and each ~ its last octal digit
//   ask SOCKET LINE tail N           99th percentile in nanoseconds, 64 connections at once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 64 };

static const char *path, *line;
static size_t line_length;
static char buffer[1 << 20];

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static int open_connection(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address)) fail(path);
    return fd;
}

static void ask(int fd) {
    if (write(fd, line, line_length) != (ssize_t)line_length) fail("write");
}

// Reads once; returns how many answers ended in what came.
static int answers(int fd) {
    ssize_t length = read(fd, buffer, sizeof buffer);
    if (length <= 0) fail("read");
    int count = 0;
    for (char *p = buffer; (p = memchr(p, '\n', (size_t)(buffer + length - p))); p++) count++;
    return count;
}

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Makes a question of the line, in place of the line itself.
static void vary(long number) {
    static const char *pattern;
    static char varied[1 << 16];
    if (!pattern) pattern = line;
    char *end = varied;
    for (const char *p = pattern; *p; p++) {
        if (end > varied + sizeof varied - 32) fail("a line this long");
        if (*p == '@') end += sprintf(end, "%ld", number);
        else *end++ = *p == '~' ? (char)('0' + number % 8) : *p;
    }
    line = varied;
    line_length = (size_t)(end - varied);
}

static void pingpong(long n, int varied) {
    int64_t *times = calloc((size_t)n, sizeof *times);
    int fd = open_connection();
    for (long i = 0; i < n; i++) {
        if (varied) vary(i);
        int64_t start = now();
        ask(fd);
        while (answers(fd) == 0) {}
        times[i] = now() - start;
    }
    qsort(times, (size_t)n, sizeof *times, by_value);
    printf("%lld\n", (long long)times[n / 2]);
}

static void pipelined(long n) {
    int fd = open_connection();
    int64_t start = now();
    long asked = 0, got = 0;
    while (got < n) {
        while (asked < n && asked - got < WIDTH) ask(fd), asked++;
        got += answers(fd);
    }
    printf("%.0f\n", (double)n * 1e9 / (double)(now() - start));
}

static void connections(long n, int tail) {
    int64_t *times = calloc((size_t)n + WIDTH, sizeof *times), sent[WIDTH];
    int fds[WIDTH], set = epoll_create1(0);
    long asked = 0, got = 0;
    int64_t start = now();
    for (int i = 0; i < WIDTH; i++, asked++) {
        fds[i] = open_connection();
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)i};
        epoll_ctl(set, EPOLL_CTL_ADD, fds[i], &event);
        sent[i] = now();
        ask(fds[i]);
    }
    while (got < asked) {
        struct epoll_event ready[WIDTH];
        int count = epoll_wait(set, ready, WIDTH, -1);
        for (int e = 0; e < count; e++) {
            uint32_t i = ready[e].data.u32;
            if (answers(fds[i]) == 0) continue;
            times[got++] = now() - sent[i];
            if (asked >= n) continue;
            asked++;
            sent[i] = now();
            ask(fds[i]);
        }
    }
    int64_t end = now();
    qsort(times, (size_t)got, sizeof *times, by_value);
    if (tail) {
        printf("%lld\n", (long long)times[got * 99 / 100]);
    } else {
        printf("%.0f\n", (double)got * 1e9 / (double)(end - start));
    }
}

static void reconnect(long n) {
    int64_t start = now();
    for (long i = 0; i < n; i++) {
        int fd = open_connection();
        ask(fd);
        while (answers(fd) == 0) {}
        close(fd);
    }
    printf("%.0f\n", (double)n * 1e9 / (double)(now() - start));
}

int main(int argc, char **argv) {
    if (argc != 5) {
        return fprintf(stderr, "usage: ask SOCKET LINE pingpong|varied|pipelined|connections|connect|tail N\n"), 2;
    }
    path = argv[1];
    line_length = strlen(argv[2]) + 1;
    char *terminated = malloc(line_length + 1);
    sprintf(terminated, "%s\n", argv[2]);
    line = terminated;
    long n = atol(argv[4]);
    if (!strcmp(argv[3], "pingpong")) pingpong(n, 0);
    else if (!strcmp(argv[3], "varied")) pingpong(n, 1);
    else if (!strcmp(argv[3], "pipelined")) pipelined(n);
    else if (!strcmp(argv[3], "connections")) connections(n, 0);
    else if (!strcmp(argv[3], "tail")) connections(n, 1);
    else if (!strcmp(argv[3], "connect")) reconnect(n);
    else return fprintf(stderr, "ask: unknown measure %s\n", argv[3]), 2;
    return 0;
}
