internal import Glibc

/// Standard input, output and error.
public enum StandardDescriptors {
    /// Takes the places of those that are closed, so that no file or socket gets one of them and
    /// with it what is meant for people. Using one fails with EBADF, as if it were still closed.
    public static func occupy() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            // The lowest free number, which is this one. The wrong way round, so that it fails.
            let way = number == STDIN_FILENO ? O_WRONLY : O_RDONLY
            unsafe _ = open("/dev/null", way)
        }
    }
}
