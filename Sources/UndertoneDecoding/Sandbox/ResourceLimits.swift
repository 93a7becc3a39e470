import CGLib
import CLinux
import GLibSupport
import Glibc
import UndertoneProtocol

/// What one child may use of the machine, whatever its picture makes it do.
struct ResourceLimits: Equatable {
    /// A resource, its limit, and what the limit is for.
    struct Row: Equatable {
        var name: String
        var resource: __rlimit_resource
        var limit: rlim_t
        /// How far beyond the limit the process can get, where the limit only sends a signal.
        var grace: rlim_t = 0
        var reason: String

        static func == (left: Row, right: Row) -> Bool {
            left.name == right.name && left.limit == right.limit && left.grace == right.grace
        }
    }

    var rows: [Row]

    /// Descriptors that the wide profile may open beside its own: fonts, and their configuration.
    private static let fontDescriptors: Int32 = 32

    /// The limits of a profile's children.
    ///
    /// - Parameters:
    ///   - deadlineSeconds: After how many seconds the daemon ends a child.
    ///   - processors: On how many of them the threads of a child can run at once.
    init(
        _ profile: DecoderProfile, deadlineSeconds: Int = Limits.deadlineSeconds,
        processors: Int = Int(g_get_num_processors()),
        isSanitized: Bool = clinux_is_sanitized() != 0
    ) {
        let more = profile == .wide ? Self.fontDescriptors : 0
        // Only the wide profile has threads.
        let busyProcessors = profile == .wide ? processors : 1
        self.init(
            descriptors: ChildDescriptors.count + more,
            processorSeconds: deadlineSeconds * busyProcessors + 1, isSanitized: isSanitized)
    }

    /// Limits that leave so many descriptors and so much processor time.
    ///
    /// A sanitizer reserves terabytes of shadow memory, so under one the data limit is left out.
    init(
        descriptors: Int32, processorSeconds: Int = Limits.deadlineSeconds + 1,
        isSanitized: Bool = clinux_is_sanitized() != 0
    ) {
        rows = [
            Row(
                name: "RLIMIT_CPU", resource: RLIMIT_CPU,
                limit: rlim_t(processorSeconds),
                // SIGXCPU first, which tells the time from other deaths; then SIGKILL.
                grace: 1,
                reason: "ends a busy child even if the daemon is gone or stopped"),
            Row(
                name: "RLIMIT_NOFILE", resource: RLIMIT_NOFILE, limit: rlim_t(descriptors),
                reason: "no descriptor beyond those that it starts with"),
            Row(
                name: "RLIMIT_FSIZE", resource: RLIMIT_FSIZE, limit: 0,
                reason: "no file grows; a pipe is none"),
            Row(
                name: "RLIMIT_CORE", resource: RLIMIT_CORE, limit: 0,
                reason: "no copy of a private picture on disk"),
        ]
        if !isSanitized {
            rows.append(
                Row(
                    name: "RLIMIT_DATA", resource: RLIMIT_DATA,
                    limit: rlim_t(Limits.childDataBytes),
                    reason: "a decompression bomb fills its own child, not the machine"))
        }
    }

    /// Sets every limit for this process, for good.
    func apply() throws(SystemError) {
        for row in rows {
            var limit = rlimit(rlim_cur: row.limit, rlim_max: row.limit + row.grace)
            _ = try retrying("setrlimit") {
                unsafe setrlimit(__rlimit_resource_t(row.resource.rawValue), &limit)
            }
        }
    }
}
