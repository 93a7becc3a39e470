import Glibc
import Testing
import UndertoneProtocol

@testable import UndertoneDecoding

/// The escape attempts, made by a real child of the real program with some of its mechanisms.
@Suite struct EscapeTests {
    /// What `--check-sandbox` says: the purposes that were refused, and the exit code.
    private func check(
        _ profile: DecoderProfile, _ mechanisms: [SandboxMechanism]
    ) throws -> (refused: Set<String>, exitCode: Int32) {
        let names = mechanisms.map(\.rawValue).joined(separator: ",")
        let (output, exitCode) = try runDecoder([
            "--check-sandbox", "--profile=\(profile.rawValue)",
            "--mechanisms=\(names.isEmpty ? "none" : names)",
        ])
        let lines = output.split(separator: "\n").dropFirst()
        try #require(lines.count == EscapeAttempt.all.count, "\(output)")
        let refused = lines.filter { $0.hasPrefix("refused  ") }.map { String($0.dropFirst(9)) }
        return (Set(refused), exitCode)
    }

    /// The attempts that a profile's filter refuses on its own.
    private func filtered(_ profile: DecoderProfile) -> Set<String> {
        Set(EscapeAttempt.all.filter { $0.isRefusedByFilterOf.contains(profile) }.map(\.purpose))
    }

    private let landlocked = Set(EscapeAttempt.all.filter(\.isRefusedByLandlock).map(\.purpose))
    private let all = Set(EscapeAttempt.all.map(\.purpose))

    @Test func theAttemptsCoverEveryWayOut() {
        let calls = Set(EscapeAttempt.all.map(\.call))
        #expect(
            calls.isSuperset(of: [
                "openat", "socket", "connect", "execve", "clone", "kill", "ptrace", "mmap",
                "mprotect", "sendmsg", "write",
            ]))
        #expect(all.count == EscapeAttempt.all.count)
    }

    @Test(arguments: DecoderProfile.allCases)
    func withoutASandboxEveryAttemptGetsThrough(_ profile: DecoderProfile) throws {
        // Otherwise an attempt proves nothing: it fails whatever the sandbox does.
        #expect(try check(profile, []).refused == [])
    }

    @Test(arguments: DecoderProfile.allCases)
    func theFilterAloneRefusesWhatItPromises(_ profile: DecoderProfile) throws {
        let (refused, exitCode) = try check(profile, [.seccomp])
        #expect(refused == filtered(profile))
        #expect(exitCode == 0)
    }

    @Test func theRasterFilterAloneRefusesEverything() throws {
        #expect(filtered(.raster) == all)
    }

    @Test(arguments: DecoderProfile.allCases)
    func landlockAloneRefusesWhatItPromises(_ profile: DecoderProfile) throws {
        try #require(LandlockRuleset.kernelABI() > 0, "this kernel has no Landlock")
        let (refused, exitCode) = try check(profile, [.landlock])
        #expect(refused.isSuperset(of: landlocked))
        #expect(exitCode == 0)
    }

    @Test(arguments: DecoderProfile.allCases)
    func togetherTheyRefuseEverything(_ profile: DecoderProfile) throws {
        try #require(LandlockRuleset.kernelABI() > 0, "this kernel has no Landlock")
        let (refused, exitCode) = try check(profile, [.landlock, .seccomp])
        #expect(refused == all)
        #expect(exitCode == 0)
        #expect(landlocked.union(filtered(profile)) == all)
    }
}
