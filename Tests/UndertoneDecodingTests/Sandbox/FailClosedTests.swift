import CSeccomp
import Glibc
import Testing
import UndertoneProtocol

@testable import UndertoneDecoding

/// The real program on a kernel that lacks one of the mechanisms.
@Suite struct FailClosedTests {
    /// Words that run a program as if the kernel did not know some system calls.
    ///
    /// A filter of their own, of which the program knows nothing, answers ENOSYS for them: load the
    /// call's number, return ERRNO|ENOSYS where it is one of the list, else ALLOW.
    private func kernel(without calls: [String]) -> [String] {
        let script = """
            import ctypes, os, struct, sys
            calls = [int(word) for word in sys.argv[1].split(",")]
            code = [(0x20, 0, 0, 0)]
            for call in calls:
                code += [(0x15, 0, 1, call), (0x06, 0, 0, 0x00050000 | 38)]
            code.append((0x06, 0, 0, 0x7fff0000))
            program = b"".join(struct.pack("HBBI", *line) for line in code)
            text = ctypes.create_string_buffer(program)
            head = ctypes.create_string_buffer(
                struct.pack("HxxxxxxP", len(code), ctypes.addressof(text)))
            libc = ctypes.CDLL(None)
            assert libc.prctl(38, 1, 0, 0, 0) == 0
            assert libc.prctl(22, 2, head) == 0
            os.execv(sys.argv[2], sys.argv[2:])
            """
        let numbers = calls.map { unsafe "\(seccomp_syscall_resolve_name($0))" }
        return ["/usr/bin/python3", "-c", script, numbers.joined(separator: ",")]
    }

    private static let landlock = [
        "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self",
    ]

    let directory: TemporaryDirectory
    let job: DecodeJob

    init() throws {
        directory = try TemporaryDirectory()
        let bytes = Array("P6 2 1 255\n".utf8) + [0, 0, 0, 255, 255, 255]
        job = DecodeJob(path: Array(try directory.write(bytes, as: "picture.ppm").utf8))
    }

    /// What a decoder says that it can do, and what it says of a picture.
    private func ask(
        _ profile: DecoderProfile, _ sandbox: SandboxRequirement, without calls: [String]
    ) throws -> (DecoderCapabilities, DecodeReport) {
        let zygote = try ZygoteProcess(
            arguments: ["--profile=\(profile.rawValue)", "--sandbox=\(sandbox.rawValue)"],
            wrapper: kernel(without: calls))
        return (try zygote.capabilities(), try zygote.ask(job).0)
    }

    private func isSummary(_ report: DecodeReport) -> Bool {
        if case .summary = report { true } else { false }
    }

    private func refusal(_ report: DecodeReport) throws -> RequestError {
        guard case .failure(let error) = report else {
            throw RequestError(.internal, "it decodes without a sandbox")
        }
        return error
    }

    @Test(arguments: DecoderProfile.allCases)
    func withoutSeccompNothingIsDecoded(_ profile: DecoderProfile) throws {
        let (capabilities, report) = try ask(profile, .required, without: ["seccomp"])
        #expect(!capabilities.seccomp && capabilities.landlock == 0)
        let error = try refusal(report)
        #expect(error.code == .sandboxUnavailable)
        // libseccomp asks the kernel what it can do while the filter is made.
        #expect(error.message.contains("seccomp"))
        #expect(error.message.contains("--sandbox=best-effort"))
    }

    @Test func withoutLandlockOnlyRasterPicturesAreDecoded() throws {
        let (raster, report) = try ask(.raster, .required, without: Self.landlock)
        #expect(raster.seccomp && raster.landlock == 0)
        #expect(isSummary(report))

        let (wide, refused) = try ask(.wide, .required, without: Self.landlock)
        #expect(!wide.seccomp && wide.landlock == 0)
        let error = try refusal(refused)
        #expect(error.code == .sandboxUnavailable)
        #expect(error.message.contains("no Landlock"))
    }

    @Test(arguments: DecoderProfile.allCases)
    func bestEffortDecodesWithWhatThereIs(_ profile: DecoderProfile) throws {
        let (seccompOnly, first) = try ask(profile, .bestEffort, without: Self.landlock)
        #expect(seccompOnly.seccomp && seccompOnly.landlock == 0)
        #expect(isSummary(first))

        let (landlockOnly, second) = try ask(profile, .bestEffort, without: ["seccomp"])
        #expect(!landlockOnly.seccomp)
        #expect(landlockOnly.landlock == UInt32(LandlockRuleset.kernelABI()))
        #expect(isSummary(second))

        let (nothing, third) = try ask(
            profile, .bestEffort, without: Self.landlock + ["seccomp"])
        #expect(!nothing.seccomp && nothing.landlock == 0)
        #expect(isSummary(third))
    }
}
