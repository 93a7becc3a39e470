import CLinux
import GLibSupport
import Glibc
import UndertoneProtocol

/// The sandbox of a zygote's children: what each of them enters, or why none may decode.
struct Sandbox {
    /// What children enter, or what they answer instead of decoding.
    let confinement: Result<Confinement, RequestError>

    /// The Landlock ABI in use, 0 for none.
    var landlock: UInt32 {
        mechanisms.contains(.landlock) ? UInt32(LandlockRuleset.kernelABI()) : 0
    }

    /// Whether the system-call filter is in use.
    var seccomp: Bool { mechanisms.contains(.seccomp) }

    private var mechanisms: Set<SandboxMechanism> {
        (try? confinement.get().mechanisms) ?? []
    }

    /// Finds the tightest confinement that proves itself on this machine.
    ///
    /// - Parameter prove: Tries a confinement in a process of its own.
    /// - Throws: EINTR if a proof was interrupted: a weaker confinement, or none, would be chosen
    ///   for good though nothing speaks against this one.
    init(
        _ options: ZygoteOptions, prove: (Confinement) throws(SystemError) -> SandboxProof
    ) throws(SystemError) {
        var fault: String?
        for mechanisms in Self.candidates(options) {
            do throws(SystemError) {
                let candidate = try Confinement(options, mechanisms: mechanisms)
                let proof = try prove(candidate)
                guard let found = proof.fault(of: mechanisms, in: options.profile) else {
                    confinement = .success(candidate)
                    return
                }
                fault = fault ?? found
            } catch {
                if error.number == EINTR { throw error }
                fault = fault ?? error.description
            }
        }
        confinement = .failure(Self.refusal(fault ?? "this kernel has no Landlock"))
    }

    /// What children that place watches enter: the same mechanisms, with a table of their own.
    func forWatches() -> Result<Confinement, RequestError> {
        confinement.flatMap { decoding in
            do throws(SystemError) {
                return .success(try Confinement(watchingWith: decoding.mechanisms))
            } catch {
                return .failure(Self.refusal(error.description))
            }
        }
    }

    /// What may be tried, the tightest first.
    ///
    /// seccomp alone already keeps raster pictures from opening anything. The wide profile lets
    /// fonts be opened, and only Landlock tells them from other files.
    static func candidates(
        _ options: ZygoteOptions, landlockABI: Int32 = LandlockRuleset.kernelABI()
    ) -> [Set<SandboxMechanism>] {
        var candidates: [Set<SandboxMechanism>] =
            switch (options.sandbox, options.profile) {
            case (.required, .raster): [[.landlock, .seccomp], [.seccomp]]
            case (.required, .wide): [[.landlock, .seccomp]]
            case (.bestEffort, _): [[.landlock, .seccomp], [.seccomp], [.landlock], []]
            }
        if landlockABI == 0 { candidates.removeAll { $0.contains(.landlock) } }
        return candidates
    }

    private static func refusal(_ fault: String) -> RequestError {
        RequestError(
            .sandboxUnavailable,
            "the decoder can't be locked down: \(fault); --sandbox=best-effort allows it to go on")
    }
}
