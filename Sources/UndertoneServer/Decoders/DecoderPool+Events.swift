import GLibSupport
import Glibc
import UndertoneColor
import UndertoneProtocol

/// What zygotes, children and clocks tell.
extension DecoderPool {
    func receive(_ zygote: Zygote, _ event: ZygoteEvent, _ descriptors: [SharedDescriptor]) {
        switch event {
        case .ready:
            if zygote.profile == .raster { startGate.open() }
        case .prepared:
            break
        case .outdated:
            guard zygote === raster.current || zygote === wide.current else { return }
            reloadTimer.schedule(after: Limits.loadersSettleSeconds)
        case .started(let slot, _):
            guard let decode = decodes[slot], decode.zygote === zygote, decode.stage == .asked
            else { return }
            noteStart(of: decode, pipe: descriptors[0], pidfd: descriptors[1])
        case .notStarted(let slot, let errno):
            guard let decode = decodes[slot], decode.zygote === zygote, decode.stage == .asked
            else { return }
            Log.write(.warning, "\(SystemError(errno, "a decoder process cannot be asked for"))")
            settle(decode, .failure(.noRoom))
            finish(decode)
        case .exited(let slot, let code, let signal):
            guard let decode = decodes[slot], decode.zygote === zygote, decode.stage == .running
            else { return }
            noteExit(of: decode, code: code, signal: signal)
        }
    }

    private func noteStart(
        of decode: Decode, pipe: SharedDescriptor, pidfd: SharedDescriptor
    ) {
        decode.stage = .running
        decode.pidfd = pidfd
        decode.timer.unschedule()
        if decode.isSettled { return killChild(of: decode) }
        if !decode.deadline.isScheduled {
            decode.deadline.schedule(after: Double(setup.deadlineSeconds))
        }
        do throws(SystemError) {
            decode.report = try ReportReader(pipe) { [weak self, weak decode] outcome in
                if let decode { self?.noteReport(of: decode, outcome) }
            }
        } catch {
            Log.write(.error, "a report cannot be read: \(error)")
            settle(decode, .failure(.noRoom))
            killChild(of: decode)
        }
    }

    private func noteExit(of decode: Decode, code: Int32, signal: Int32) {
        // The end of the report may not have been read yet.
        decode.report?.read()
        guard decode.stage == .running, decode.pidfd != nil else { return }
        if !decode.isSettled, decode.isToStartOver || decode.leaveThumbnailsOut() {
            Log.write(.warning, "a decoder process ended at a thumbnail: trying the picture")
            return startOver(decode)
        }
        if !decode.isSettled {
            switch signal {
            case 0:
                Log.write(.warning, "a decoder process left without a report, status \(code)")
                settleCrash(decode, .crashed)
            case SIGXCPU:
                counters.timeouts += 1
                settle(decode, .failure(decode.late))
            case SIGKILL:
                // Not by us, or it would be settled: for its memory, most likely. The picture
                // may be innocent.
                Log.write(.warning, "a decoder process was killed")
                counters.crashes += 1
                settle(decode, .failure(decode.killed))
            default:
                Log.write(.warning, "a decoder process crashed, signal \(signal)")
                settleCrash(decode, .crashed)
            }
        }
        finish(decode)
    }

    /// The timer's meaning depends on the stage: nobody started the child, or it does not die.
    func noteTimer(_ work: DecodeSchedule.Work) {
        guard let decode = decodes[work] else { return }
        switch decode.stage {
        case .waiting:
            break
        case .asked:
            Log.write(.error, "the \(decode.profile.rawValue) decoder does not answer")
            decode.zygote?.kill()
        case .running:
            Log.write(.error, "a killed decoder process does not die: its slot is lost")
            schedule.lose(work)
            if schedule.isExhausted {
                for work in schedule.waitingWork {
                    if let decode = decodes[work] { settle(decode, .failure(.allSlotsLost)) }
                    decodes[work] = nil
                }
            }
        }
    }

    /// The picture's time is over, whichever child it is at.
    func noteDeadline(_ work: DecodeSchedule.Work) {
        guard let decode = decodes[work] else { return }
        if !decode.isSettled {
            counters.timeouts += 1
            settle(decode, .failure(decode.late))
        }
        giveUp(decode)
    }

    func killChild(of decode: Decode) {
        decode.deadline.unschedule()
        decode.report?.close()
        decode.isKilled = true
        decode.kill()
        decode.timer.schedule(after: Limits.deathSeconds)
    }

    /// A zygote died, and its children with it: what they had not told is asked for again, once.
    func noteEnd(of zygote: Zygote) {
        retiring.removeAll { $0 === zygote }
        let affected = decodes.values.filter { $0.zygote === zygote }
        for decode in affected.sorted(by: { $0.work < $1.work }) {
            decode.report?.read()
            guard decode.zygote === zygote else { continue }
            switch decode.stage {
            case .running where decode.isSettled:
                awaitDeath(of: decode)
            case .running:
                decode.kill()
                decode.interruptions += 1
                decode.attempts = 0
                if decode.interruptions > 1 { settleCrash(decode, .crashed) }
                askAgain(for: decode)
            default:
                if decode.attempts >= Limits.startAttempts, !decode.isSettled {
                    settle(decode, .failure(.noDecoder))
                }
                askAgain(for: decode)
            }
        }
    }

    /// Asks for another child, as the last one is gone.
    private func startOver(_ decode: Decode) {
        let zygote = decode.zygote
        decode.reset()
        decode.attempts = 0
        if let zygote { retireIfIdle(zygote) }
        ask(for: decode)
    }

    private func askAgain(for decode: Decode) {
        decode.reset()
        if decode.isSettled { finish(decode) }
        // Otherwise it waits: the supervisor tells when a zygote runs.
    }

    /// Frees the slot of a settled child when it is gone, without its zygote to tell.
    private func awaitDeath(of decode: Decode) {
        decode.zygote = nil
        guard let pidfd = decode.pidfd else { return finish(decode) }
        if !decode.isKilled { killChild(of: decode) }
        do throws(SystemError) {
            decode.deathWatch = try FileWatch(pidfd.number, for: .readable) {
                [weak self, weak decode] _ in
                if let decode { self?.finish(decode) }
            }
        } catch {
            finish(decode)
        }
    }
}
