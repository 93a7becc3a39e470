import UndertoneColor
import UndertoneProtocol

/// What children report.
extension DecoderPool {
    func noteReport(of decode: Decode, _ outcome: ReportReader.Outcome) {
        if decode.isSettled { return }
        switch outcome {
        case .complete([]):
            // How the child ended says why; the deadline still holds.
            break
        case .complete(let bytes):
            do throws(ReportFault) {
                switch decode.task {
                case .decode(let job, let before):
                    accept(try DecodeReport(validating: bytes), of: job, before, for: decode)
                case .watch(let job, _):
                    accept(try WatchReport(validating: bytes), of: job, for: decode)
                }
            } catch {
                Log.write(.error, "a decoder process sent what is no report: \(error)")
                settleCrash(decode, .invalidReport)
            }
        case .tooLong:
            Log.write(.error, "a decoder process sent too much")
            settleCrash(decode, .invalidReport)
            // One that is to start over is killed by now, and its picture's time runs on.
            if decode.isSettled { killChild(of: decode) }
        }
    }

    private func accept(
        _ report: DecodeReport, of job: DecodeJob, _ before: FileIdentity?, for decode: Decode
    ) {
        switch report {
        case .summary(let summary):
            guard summary.regions.count == job.regions.count,
                let job = job.answers.first(where: { $0.sampling == summary.image.sampling })
            else { return settleCrash(decode, .invalidReport) }
            guard summary.identityBefore == summary.identityAfter else {
                return settle(decode, .failure(.changed))
            }
            let cached = CachedSummary(summary)
            decode.isOfAnotherFile = summary.identityAfter != before
            // A child may have been taken over by its picture: what it says of the file counts
            // only if the daemon sees the same, or it could answer for other pictures.
            let identity = summary.identityAfter
            if PathIdentity.lookUp(job.path) == identity, identity.isSettled(at: decode.askedAt) {
                onSummary(job, cached, summary)
            }
            settle(decode, .success(.summary(cached)))
        case .failure(let error):
            settle(decode, .failure(error))
        case .needsWideProfile where decode.profile == .raster:
            decode.profile = .wide
            decode.attempts = 0
            wideWork += 1
            // It is about to leave; one that does not must not outlive its slot.
            decode.kill()
            let raster = decode.zygote
            decode.reset()
            if let raster { retireIfIdle(raster) }
            ask(for: decode)
        case .needsWideProfile:
            settle(decode, .failure(.internalError))
        }
    }

    private func accept(_ report: WatchReport, of job: WatchJob, for decode: Decode) {
        switch report {
        case .placed(let files, let places):
            guard files.count == job.paths.count else {
                return settleCrash(decode, .invalidReport)
            }
            settle(decode, .success(.watches(files, places)))
        case .failure(let error):
            settle(decode, .failure(error))
        }
    }
}
