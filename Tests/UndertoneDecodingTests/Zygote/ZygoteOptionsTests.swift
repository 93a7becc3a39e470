import Testing
import UndertoneProtocol

@testable import UndertoneDecoding

@Suite struct ZygoteOptionsTests {
    @Test func servesRasterFormatsInAFullSandboxByDefault() {
        #expect(
            ZygoteCommand(parsing: [])
                == .serve(ZygoteOptions(profile: .raster, sandbox: .required)))
    }

    @Test func takesValuesEitherWay() {
        let wide = ZygoteCommand.serve(ZygoteOptions(profile: .wide, sandbox: .bestEffort))
        #expect(ZygoteCommand(parsing: ["--profile=wide", "--sandbox=best-effort"]) == wide)
        #expect(ZygoteCommand(parsing: ["--sandbox", "best-effort", "--profile", "wide"]) == wide)
        // The last word counts, as with other programs.
        #expect(
            ZygoteCommand(parsing: ["--profile=wide", "--profile=raster"])
                == .serve(ZygoteOptions()))
    }

    @Test func checksTheSandboxWithTheMechanismsThatItIsGiven() {
        var options = ZygoteOptions(profile: .wide)
        #expect(
            ZygoteCommand(parsing: ["--check-sandbox", "--profile=wide"]) == .checkSandbox(options))
        options.mechanisms = [.seccomp]
        #expect(
            ZygoteCommand(parsing: ["--mechanisms=seccomp", "--profile=wide", "--check-sandbox"])
                == .checkSandbox(options))
        options.mechanisms = []
        #expect(
            ZygoteCommand(parsing: ["--check-sandbox", "--profile=wide", "--mechanisms=none"])
                == .checkSandbox(options))
    }

    @Test func answersQuestionsAboutItself() {
        #expect(ZygoteCommand(parsing: ["--help"]) == .help)
        #expect(ZygoteCommand(parsing: ["--profile=wide", "-h"]) == .help)
        #expect(ZygoteCommand(parsing: ["--version"]) == .version)
    }

    @Test(arguments: [
        (["--profile"], "--profile needs a value"),
        (["--profile", "none"], "--profile can't be \"none\""),
        (["--profile="], "--profile can't be \"\""),
        (["--sandbox=off"], "--sandbox can't be \"off\""),
        (["--mechanisms="], "--mechanisms can't be \"\""),
        (["--mechanisms=seccomp,selinux"], "--mechanisms can't be \"seccomp,selinux\""),
        (["--version=1"], "unknown option \"--version=1\""),
        (["--profil=wide"], "unknown option \"--profil=wide\""),
        (["picture.png"], "unknown option \"picture.png\""),
        ([""], "unknown option \"\""),
    ])
    func refusesTheRest(_ arguments: [String], _ reason: String) {
        #expect(ZygoteCommand(parsing: arguments) == .refuse(reason))
    }
}
