import CLinux
import GLibSupport
import Glibc
import UndertoneColor
import UndertoneProtocol

/// The process that decodes one picture: it opens the path, gives up everything but the picture and
/// the report, decodes, reports and ends.
///
/// A picture may crash it, hang it, fill it or take it over. None of that reaches anything else:
/// the zygote learns only its exit status, and the daemon reads the report as an enemy's.
struct DecoderChild {
    /// The exit codes, for the daemon's log.
    enum ExitCode {
        static let reported: Int32 = 0
        static let reportNotWritten: Int32 = 1
        static let orphaned: Int32 = 2
        static let noDescriptors: Int32 = 3
    }

    var profile: DecoderProfile
    /// The zygote's process number, to see whether it still lives.
    var parent: pid_t
    /// The report pipe's writing end.
    var report: Int32
    /// Where thumbnails are looked for.
    var thumbnailPlaces: ThumbnailPlaces?

    /// Does the whole of the child's life; called in it, right after the fork.
    func decode(_ job: DecodeJob, in sandbox: Sandbox) -> Never {
        settle(picture: nil)
        do throws(RequestError) {
            let confinement = try sandbox.confinement.get()
            let identity = try openPicture(job.path)
            var thumbnails: [Thumbnail] = []
            if job.sampling == .thumbnail, let thumbnailPlaces {
                thumbnails = Thumbnail.openAll(
                    of: job.path, picture: ChildDescriptors.picture, in: thumbnailPlaces)
            }
            try enter(confinement)
            PictureDecoder.decode(
                descriptor: ChildDescriptors.picture, job: job, identity: identity,
                thumbnails: thumbnails, allowWide: profile == .wide
            ) { end(reporting: $0.encoded()) }
        } catch {
            end(reporting: DecodeReport.failure(error).encoded())
        }
    }

    /// The same for a child that places watches: it reads no picture, but may wait on any file
    /// system.
    ///
    /// - Parameter inotify: The instance that the daemon reads; nil for a mere look.
    func watch(
        _ job: WatchJob, inotify: Int32?, in confinement: Result<Confinement, RequestError>
    ) -> Never {
        settle(picture: inotify)
        end(reporting: report(on: job, in: confinement).encoded())
    }

    private func report(
        on job: WatchJob, in confinement: Result<Confinement, RequestError>
    ) -> WatchReport {
        do throws(RequestError) {
            try enter(try confinement.get())
            guard job.placesWatches else {
                return .placed(files: job.paths.map(OpenedPicture.lookUp), places: [])
            }
            var placer = WatchPlacer(inotify: ChildDescriptors.picture)
            let files = try placer.place(job.paths)
            return .placed(files: files, places: placer.places)
        } catch {
            return .failure(error)
        }
    }

    /// The same for a child that only tries a confinement, and reports what came of it.
    ///
    /// - Parameter example: A file with a picture, or nil if no example can be decoded.
    func prove(_ confinement: Confinement, example: Int32?) -> Never {
        settle(picture: example)
        // A decoder that waits for what the sandbox denies must not hang the zygote too.
        alarm(UInt32(Limits.deadlineSeconds))
        do throws(SystemError) {
            try confinement.enter()
        } catch {
            end(reporting: SandboxProof(decodeFault: error.description, errors: []).encoded())
        }
        end(reporting: SandboxProof.gather(profile, hasExample: example != nil).encoded())
    }

    private func enter(_ confinement: Confinement) throws(RequestError) {
        do throws(SystemError) {
            try confinement.enter()
        } catch {
            throw RequestError(.sandboxUnavailable, error.description)
        }
    }

    /// Puts every descriptor in its place, and closes all others.
    private func settle(picture: Int32?) {
        // The order closes the race with a parent that ended before the first call.
        _ = clinux_prctl(PR_SET_PDEATHSIG, UInt(SIGKILL))
        guard getppid() == parent else { _exit(ExitCode.orphaned) }

        let null = ChildDescriptors.picture
        guard dup2(report, ChildDescriptors.report) >= 0, dup2(null, STDIN_FILENO) >= 0,
            dup2(null, STDOUT_FILENO) >= 0, dup2(null, STDERR_FILENO) >= 0
        else { _exit(ExitCode.noDescriptors) }
        if let picture {
            guard dup2(picture, ChildDescriptors.picture) >= 0 else {
                _exit(ExitCode.noDescriptors)
            }
        } else {
            close(ChildDescriptors.picture)
        }
        closefrom(ChildDescriptors.ruleset + 1)
    }

    /// Opens the path at the picture's place.
    private func openPicture(_ path: [UInt8]) throws(RequestError) -> FileIdentity {
        let file = try OpenedPicture.open(path)
        let identity = file.identity
        let number = file.descriptor.release()
        if number != ChildDescriptors.picture {
            guard dup2(number, ChildDescriptors.picture) >= 0 else {
                _exit(ExitCode.noDescriptors)
            }
            close(number)
        }
        return identity
    }

    private func end(reporting bytes: [UInt8]) -> Never {
        // One write: a report is never larger than an empty pipe.
        let written = unsafe write(ChildDescriptors.report, bytes, bytes.count)
        _exit(written == bytes.count ? ExitCode.reported : ExitCode.reportNotWritten)
    }
}
