import GLibSupport
import Glibc
import Testing
import UndertoneProtocol

@testable import UndertoneDecoding

/// Which confinement is chosen, with the kernel played by the test.
@Suite struct SandboxTests {
    static let both: Set<SandboxMechanism> = [.landlock, .seccomp]

    /// A proof in which every attempt got one error.
    private func proof(_ error: Int32) -> SandboxProof {
        SandboxProof(decodeFault: nil, errors: EscapeAttempt.all.map { _ in error })
    }

    /// A sandbox on a machine where only some sets of mechanisms hold.
    private func sandbox(
        _ options: ZygoteOptions, holding: [Set<SandboxMechanism>]
    ) throws -> (Sandbox, tried: [Set<SandboxMechanism>]) {
        var tried: [Set<SandboxMechanism>] = []
        let sandbox = try Sandbox(options) { (confinement) throws(SystemError) in
            tried.append(confinement.mechanisms)
            return proof(holding.contains(confinement.mechanisms) ? EPERM : 0)
        }
        return (sandbox, tried)
    }

    @Test func theTightestThatHoldsIsTaken() throws {
        try #require(LandlockRuleset.kernelABI() > 0, "this kernel has no Landlock")
        for profile in DecoderProfile.allCases {
            let options = ZygoteOptions(profile: profile)
            let (sandbox, tried) = try sandbox(options, holding: [Self.both, [.seccomp]])
            #expect(tried == [Self.both])
            #expect(try sandbox.confinement.get().mechanisms == Self.both)
            #expect(sandbox.landlock == UInt32(LandlockRuleset.kernelABI()))
            #expect(sandbox.seccomp)
        }
    }

    @Test func rasterPicturesDoWithoutLandlock() throws {
        let (sandbox, _) = try sandbox(ZygoteOptions(), holding: [[.seccomp]])
        #expect(try sandbox.confinement.get().mechanisms == [.seccomp])
        #expect(sandbox.landlock == 0)
        #expect(sandbox.seccomp)
    }

    @Test(arguments: [
        (ZygoteOptions(profile: .raster), [[SandboxMechanism.landlock], []]),
        (ZygoteOptions(profile: .wide), [[.seccomp], [.landlock], []]),
    ])
    func failsClosed(_ options: ZygoteOptions, _ holding: [[SandboxMechanism]]) throws {
        let (sandbox, _) = try sandbox(options, holding: holding.map(Set.init))
        guard case .failure(let error) = sandbox.confinement else {
            Issue.record("it goes on with \(sandbox)")
            return
        }
        #expect(error.code == .sandboxUnavailable)
        #expect(error.message.contains("a child may open a file"))
        #expect(error.message.contains("--sandbox=best-effort"))
        #expect(sandbox.landlock == 0)
        #expect(!sandbox.seccomp)
    }

    @Test func bestEffortGoesOnWithWhatThereIs() throws {
        for profile in DecoderProfile.allCases {
            let options = ZygoteOptions(profile: profile, sandbox: .bestEffort)
            for set in [Self.both, [.seccomp], [.landlock], []] {
                if set.contains(.landlock) && LandlockRuleset.kernelABI() == 0 { continue }
                let (sandbox, _) = try sandbox(options, holding: [set])
                #expect(try sandbox.confinement.get().mechanisms == set)
            }
        }
    }

    /// The kernel ends whoever volunteers for it when memory is short; that is no proof of
    /// anything.
    @Test(arguments: DecoderProfile.allCases, SandboxRequirement.allCases)
    func aProofThatWasKilledIsNoReasonToChooseLess(
        _ profile: DecoderProfile, _ requirement: SandboxRequirement
    ) throws {
        try #require(LandlockRuleset.kernelABI() > 0, "this kernel has no Landlock")
        let options = ZygoteOptions(profile: profile, sandbox: requirement)
        #expect(throws: SystemError(EINTR, "kill")) {
            try Sandbox(options) { (_: Confinement) throws(SystemError) -> SandboxProof in
                throw SystemError(EINTR, "kill")
            }
        }
    }

    @Test func aKernelWithoutLandlockIsNotAskedForIt() {
        for profile in DecoderProfile.allCases {
            for requirement in SandboxRequirement.allCases {
                let options = ZygoteOptions(profile: profile, sandbox: requirement)
                let candidates = Sandbox.candidates(options, landlockABI: 0)
                #expect(!candidates.contains { $0.contains(.landlock) })
            }
        }
        #expect(Sandbox.candidates(ZygoteOptions(profile: .wide), landlockABI: 0) == [])
    }

    @Test func aProofSaysWhatIsWrong() {
        let mechanisms = Self.both
        #expect(proof(EPERM).fault(of: mechanisms, in: .wide) == nil)
        #expect(proof(EACCES).fault(of: mechanisms, in: .wide) == nil)
        #expect(
            proof(0).fault(of: mechanisms, in: .raster) == "a child may open a file (it works)")
        // Failing for another reason is not being refused.
        #expect(proof(ENOENT).fault(of: mechanisms, in: .raster)?.contains("openat") == true)
        #expect(
            SandboxProof(decodeFault: "cut", errors: proof(EPERM).errors)
                .fault(of: mechanisms, in: .raster) == "no picture decodes in it (cut)")
        // A child that ended early has proved nothing.
        for count in [0, 1, EscapeAttempt.all.count - 1, EscapeAttempt.all.count + 1] {
            let errors = [Int32](repeating: EPERM, count: count)
            let proof = SandboxProof(decodeFault: nil, errors: errors)
            #expect(proof.fault(of: mechanisms, in: .raster) == "its proof is incomplete")
        }
    }

    @Test func aProofComesThroughThePipeAsItWas() {
        for proof in [proof(EPERM), SandboxProof(decodeFault: "cut", errors: [0, 1, 13])] {
            #expect(
                SandboxProof(parsing: String(decoding: proof.encoded(), as: UTF8.self)) == proof)
        }
        #expect(SandboxProof(parsing: "") == SandboxProof(decodeFault: nil, errors: []))
    }
}
