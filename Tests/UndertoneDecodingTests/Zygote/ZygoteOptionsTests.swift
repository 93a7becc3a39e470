import GLibSupport
import Testing
import UndertoneProtocol

@testable import UndertoneDecoding

@Suite struct ZygoteOptionsTests {
    private func parse(_ arguments: String...) throws(OptionFailure) -> ZygoteCommand {
        try ZygoteCommand((["undertone-decoder"] + arguments).map { Array($0.utf8) })
    }

    @Test func servesRasterFormatsInAFullSandboxByDefault() throws {
        #expect(try parse() == .serve(ZygoteOptions(profile: .raster, sandbox: .required)))
        #expect(ZygoteOptions().deadlineSeconds == 10)
    }

    @Test func takesValuesEitherWay() throws {
        let wide = ZygoteCommand.serve(
            ZygoteOptions(profile: .wide, sandbox: .bestEffort, deadlineSeconds: 40))
        #expect(try parse("--profile=wide", "--sandbox=best-effort", "--deadline=40") == wide)
        #expect(
            try parse("--deadline", "40", "--sandbox", "best-effort", "--profile", "wide") == wide)
        // The last word counts, as with other programs.
        #expect(try parse("--profile=wide", "--profile=raster") == .serve(ZygoteOptions()))
    }

    @Test func checksTheSandboxWithTheMechanismsThatItIsGiven() throws {
        var options = ZygoteOptions(profile: .wide)
        #expect(try parse("--check-sandbox", "--profile=wide") == .checkSandbox(options))
        options.mechanisms = [.seccomp]
        #expect(
            try parse("--mechanisms=seccomp", "--profile=wide", "--check-sandbox")
                == .checkSandbox(options))
        options.mechanisms = []
        #expect(
            try parse("--check-sandbox", "--profile=wide", "--mechanisms=none")
                == .checkSandbox(options))
    }

    @Test func answersQuestionsAboutItself() throws {
        #expect(try parse("--version") == .version)
        let (help, exitCode) = try runDecoder(["--profile=wide", "--help"])
        #expect(exitCode == 0)
        for name in ["profile", "sandbox", "deadline", "check-sandbox", "mechanisms", "version"] {
            #expect(help.contains("--\(name)"), "\(help)")
        }
        let (version, _) = try runDecoder(["--version"])
        #expect(version == "undertone-decoder \(Version.current)\n")
    }

    @Test(arguments: [
        (["--profile"], "Missing argument for --profile"),
        (["--profile", "none"], "--profile must be one of: raster, wide"),
        (["--profile="], "--profile must be one of: raster, wide"),
        (["--sandbox=off"], "--sandbox must be one of: required, best-effort"),
        (["--deadline=0"], "--deadline must be from 1 to 3600"),
        (["--deadline=3601"], "--deadline must be from 1 to 3600"),
        (["--mechanisms="], "--mechanisms must be none or of: landlock, seccomp"),
        (["--mechanisms=seccomp,selinux"], "--mechanisms must be none or of: landlock, seccomp"),
        (["--profil=wide"], "Unknown option --profil=wide"),
        (["picture.png"], "there are no arguments but options"),
        ([""], "there are no arguments but options"),
    ])
    func refusesTheRest(_ arguments: [String], _ reason: String) {
        #expect(throws: OptionFailure(message: reason)) {
            try ZygoteCommand((["undertone-decoder"] + arguments).map { Array($0.utf8) })
        }
    }
}
