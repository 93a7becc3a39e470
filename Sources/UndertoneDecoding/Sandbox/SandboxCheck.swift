import GLibSupport
import Glibc
import UndertoneProtocol

/// What `--check-sandbox` prints: everything that a hostile picture may try, and how it fares.
struct SandboxCheck {
    var profile: DecoderProfile
    var mechanisms: Set<SandboxMechanism>
    var proof: SandboxProof

    /// What is wrong, or nil if the mechanisms hold what they promise.
    var fault: String? { proof.fault(of: mechanisms, in: profile) }

    /// One line for what was checked, and one for each attempt.
    var text: String {
        let names = SandboxMechanism.allCases.filter(mechanisms.contains).map(\.rawValue)
        let used = names.isEmpty ? "no sandbox" : names.joined(separator: " and ")
        let lines = zip(EscapeAttempt.all, proof.errors).map { attempt, error in
            (SandboxProof.isRefusal(error) ? "refused  " : "ALLOWED  ") + attempt.purpose
        }
        return (["\(profile.rawValue) profile with \(used):"] + lines).joined(separator: "\n")
    }
}
