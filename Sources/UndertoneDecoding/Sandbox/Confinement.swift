import CLinux
import GLibSupport
import Glibc
import UndertoneProtocol

/// Everything that a child gives up between opening its picture and reading the first byte.
///
/// It is prepared once in the zygote, so that a child only has to enter it.
struct Confinement {
    /// The mechanisms that are entered, beside the resource limits.
    let mechanisms: Set<SandboxMechanism>
    private let limits: ResourceLimits
    private let filter: SystemCallFilter?

    /// Prepares the confinement of a profile's children.
    ///
    /// With Landlock, `LandlockRuleset.place(for:)` must have put the ruleset in its place.
    init(
        _ options: ZygoteOptions, mechanisms: Set<SandboxMechanism>
    ) throws(SystemError) {
        self.mechanisms = mechanisms
        limits = ResourceLimits(options.profile, deadlineSeconds: options.deadlineSeconds)
        filter = try Self.filter(SystemCallTable.rules(for: options.profile), mechanisms)
    }

    /// Prepares the confinement of children that place watches.
    ///
    /// They read nothing but the names and links of their paths. What they may still do is to look
    /// at those, so that a mistake in here could not do more either.
    init(watchingWith mechanisms: Set<SandboxMechanism>) throws(SystemError) {
        self.mechanisms = mechanisms
        limits = ResourceLimits(descriptors: ChildDescriptors.watchCount)
        filter = try Self.filter(SystemCallTable.watching, mechanisms)
    }

    private static func filter(
        _ rules: [SystemCallRule], _ mechanisms: Set<SandboxMechanism>
    ) throws(SystemError) -> SystemCallFilter? {
        guard mechanisms.contains(.seccomp) else { return nil }
        let isSanitized = clinux_is_sanitized() != 0
        return try SystemCallFilter(isSanitized ? rules + SystemCallTable.sanitizer : rules)
    }

    /// Gives everything up, for good.
    func enter() throws(SystemError) {
        volunteerForTheOutOfMemoryKiller()
        try limits.apply()
        // Nobody may trace this process or read its memory, other processes of the user included.
        _ = try checking("prctl") { clinux_prctl(PR_SET_DUMPABLE, 0) }
        // What both mechanisms ask for.
        _ = try checking("prctl") { clinux_prctl(PR_SET_NO_NEW_PRIVS, 1) }
        if mechanisms.contains(.landlock) {
            try LandlockRuleset.enter(ChildDescriptors.ruleset)
        }
        close(ChildDescriptors.ruleset)
        try filter?.enter()
    }

    /// Has the kernel end this process first when memory runs out.
    ///
    /// Best effort: where `/proc` is missing the resource limits still hold.
    private func volunteerForTheOutOfMemoryKiller() {
        let file = unsafe open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = unsafe write(file, "1000", 4)
        close(file)
    }
}
