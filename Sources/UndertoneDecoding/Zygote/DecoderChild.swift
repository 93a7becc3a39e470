import CLinux
import GLibSupport
import Glibc
import UndertoneColor
import UndertoneProtocol

/// The process that decodes one picture: it opens the path, gives up everything but the picture and
/// the report, decodes, reports and ends.
///
/// A picture may crash it, hang it, fill it or take it over. None of that reaches anything else:
/// the parent is not told in words but by the exit status, and the daemon reads the report as
/// coming from an enemy.
struct DecoderChild {
    /// Where the report goes, in every child.
    static let reportDescriptor: Int32 = 3
    /// Where the picture is, in every child.
    static let pictureDescriptor: Int32 = 4

    /// The exit codes, for the daemon's log.
    enum ExitCode {
        static let reported: Int32 = 0
        static let reportNotWritten: Int32 = 1
        static let orphaned: Int32 = 2
        static let noDescriptors: Int32 = 3
    }

    var job: DecodeJob
    var options: ZygoteOptions
    /// The zygote's process number, to see whether it still lives.
    var parent: pid_t
    /// `/dev/null`, for whatever a library writes to standard error on a picture's behalf.
    var null: Int32
    /// The report pipe's writing end.
    var report: Int32

    /// Does the whole of the child's life; called in it, right after the fork.
    func run() -> Never {
        // The order closes the race with a parent that ended before the first call.
        _ = clinux_prctl(PR_SET_PDEATHSIG, UInt(SIGKILL))
        guard getppid() == parent else { _exit(ExitCode.orphaned) }

        guard dup2(report, Self.reportDescriptor) >= 0, dup2(null, STDIN_FILENO) >= 0,
            dup2(null, STDOUT_FILENO) >= 0, dup2(null, STDERR_FILENO) >= 0
        else { _exit(ExitCode.noDescriptors) }
        closefrom(Self.reportDescriptor + 1)

        let bytes = decode().encoded()
        // One write: a report is never larger than an empty pipe.
        let written = unsafe write(Self.reportDescriptor, bytes, bytes.count)
        _exit(written == bytes.count ? ExitCode.reported : ExitCode.reportNotWritten)
    }

    private func decode() -> DecodeReport {
        do throws(RequestError) {
            let identity = try openPicture()
            try Confinement(options).enter()
            return PictureDecoder.decode(
                descriptor: Self.pictureDescriptor, job: job, identity: identity,
                allowWide: options.profile == .wide)
        } catch {
            return .failure(error)
        }
    }

    /// Opens the path at the picture's place and closes whatever else that took.
    private func openPicture() throws(RequestError) -> FileIdentity {
        let file = try OpenedPicture.open(job.path)
        let identity = file.identity
        guard dup2(file.descriptor.number, Self.pictureDescriptor) >= 0 else {
            _exit(ExitCode.noDescriptors)
        }
        return identity
    }
}
