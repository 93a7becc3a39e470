import GLibSupport
import Glibc

/// The daemon's own words, on standard error.
///
/// A picture's name appears at `debug` only.
enum Log {
    /// How much a line matters, the gravest first.
    enum Level: Int, CaseIterable {
        case error, warning, info, debug

        /// The level's name on the command line.
        var name: String { "\(self)" }

        /// The level of syslog(3), which the journal takes from the beginning of a line.
        var priority: Int {
            switch self {
            case .error: 3
            case .warning: 4
            case .info: 6
            case .debug: 7
            }
        }
    }

    private static let isInJournal = ServiceManager.hasJournal(on: STDERR_FILENO)

    /// The least grave level that is written.
    @MainContext static var level = Level.info

    /// Writes a line if its level is wanted. A full pipe loses it: nobody waits for a log.
    @MainContext
    static func write(_ level: Level, _ message: @autoclosure () -> String) {
        guard level.rawValue <= self.level.rawValue else { return }
        print(level, message())
    }

    /// Writes a line before the main context runs.
    static func print(_ level: Level, _ message: String) {
        let start =
            isInJournal
            ? "<\(level.priority)>" : "undertoned: \(level == .info ? "" : level.name + ": ")"
        // A pipe that polls as writable takes a page without blocking.
        var line = Array("\(start)\(printable(message))".utf8.prefix(4000))
        line.append(UInt8(ascii: "\n"))
        var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&descriptor, 1, 0) == 1 else { return }
        unsafe _ = Glibc.write(STDERR_FILENO, line, line.count)
    }
}
