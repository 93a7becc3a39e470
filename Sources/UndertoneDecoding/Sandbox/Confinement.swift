import CLinux
import GLibSupport
import Glibc
import UndertoneProtocol

/// Everything that a child gives up between opening its picture and reading the first byte.
struct Confinement {
    private let limits: ResourceLimits

    /// Prepares the confinement that a zygote's children enter.
    init(_ options: ZygoteOptions) {
        limits = ResourceLimits(descriptors: DecoderChild.pictureDescriptor + 1)
    }

    /// Gives everything up, for good.
    ///
    /// - Throws: `sandbox_unavailable` where the machine does not let a child confine itself.
    func enter() throws(RequestError) {
        volunteerForTheOutOfMemoryKiller()
        do {
            try limits.apply()
            // Not dumpable: no other process of the user may look in or trace it.
            _ = try checking("prctl") { clinux_prctl(PR_SET_DUMPABLE, 0) }
            _ = try checking("prctl") { clinux_prctl(PR_SET_NO_NEW_PRIVS, 1) }
        } catch {
            throw RequestError(.sandboxUnavailable, error.description)
        }
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
