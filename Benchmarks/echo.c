// The floor: an epoll server that sends every byte back, on the same kind of socket.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static char buffer[1 << 16];

int main(int argc, char **argv) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (argc != 2 || strlen(argv[1]) >= sizeof address.sun_path) {
        return fprintf(stderr, "usage: echo SOCKET\n"), 2;
    }
    strcpy(address.sun_path, argv[1]);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), set = epoll_create1(0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 256)) {
        return perror(argv[1]), 1;
    }
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, ready[64];
    epoll_ctl(set, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        int count = epoll_wait(set, ready, 64, -1);
        for (int i = 0; i < count; i++) {
            int fd = ready[i].data.fd;
            if (fd == listener) {
                event.data.fd = accept(listener, NULL, NULL);
                epoll_ctl(set, EPOLL_CTL_ADD, event.data.fd, &event);
                continue;
            }
            ssize_t length = read(fd, buffer, sizeof buffer);
            if (length <= 0 || write(fd, buffer, (size_t)length) != length) close(fd);
        }
    }
}
