import GLibSupport
import Glibc
import UndertoneColor
import UndertoneProtocol

/// What came of trying a confinement: a picture was decoded in it, and everything that a picture
/// may try against the machine was tried.
struct SandboxProof: Equatable {
    /// Why the example did not decode, or nil if it did or there was none.
    var decodeFault: String?
    /// The error number that each of `EscapeAttempt.all` got, 0 where it succeeded.
    var errors: [Int32]

    /// Tries the confinement that this process has entered.
    ///
    /// - Parameter hasExample: Whether an example lies at the picture's descriptor.
    static func gather(_ profile: DecoderProfile, hasExample: Bool) -> SandboxProof {
        var fault: String?
        if hasExample {
            switch ExamplePicture.decode(ChildDescriptors.picture, profile) {
            case .summary: break
            case .failure(let error): fault = error.message
            case .needsWideProfile: fault = "the example needs another profile"
            }
        }
        // Its number is then free for an attempt to open something; otherwise RLIMIT_NOFILE would
        // refuse what the sandbox does not.
        close(ChildDescriptors.picture)
        return SandboxProof(decodeFault: fault, errors: EscapeAttempt.all.map { $0.run() })
    }

    /// What is wrong with the confinement, or nil if every attempt that it must refuse was refused.
    func fault(of mechanisms: Set<SandboxMechanism>, in profile: DecoderProfile) -> String? {
        if let decodeFault { return "no picture decodes in it (\(decodeFault))" }
        guard errors.count == EscapeAttempt.all.count else { return "its proof is incomplete" }
        for (attempt, error) in zip(EscapeAttempt.all, errors)
        where attempt.isRefused(by: mechanisms, in: profile) && !Self.isRefusal(error) {
            let answer = error == 0 ? "it works" : SystemError(error, attempt.call).description
            return "a child may \(attempt.purpose) (\(answer))"
        }
        return nil
    }

    /// Whether an error is the sandbox's: no attempt fails with these by itself.
    static func isRefusal(_ error: Int32) -> Bool { error == EPERM || error == EACCES }

    /// The proof as lines of text, for the pipe from the child to the zygote.
    func encoded() -> [UInt8] {
        let lines = [decodeFault ?? ""] + errors.map { "\($0)" }
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// Reads the lines back.
    init(parsing text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        decodeFault = lines.first.flatMap { $0.isEmpty ? nil : String($0) }
        errors = lines.dropFirst().compactMap { Int32($0) }
    }

    init(decodeFault: String?, errors: [Int32]) {
        self.decodeFault = decodeFault
        self.errors = errors
    }
}
