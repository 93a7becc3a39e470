import GLibSupport
import UndertoneProtocol

/// How work ends: first for those who wait, then for its slot.
extension DecoderPool {
    /// Answers all who wait.
    func settle(_ decode: Decode, _ outcome: Completion) {
        guard !decode.isSettled else { return }
        decode.isSettled = true
        let waiters = schedule.answer(decode.work).sorted()
        let answer = Answer(
            outcome: outcome, path: decode.task.path,
            isOfItsPathOnly: waiters.count > 1 && isOfItsPathOnly(decode))
        for waiter in waiters {
            continuations.removeValue(forKey: waiter)?.resume(returning: answer)
        }
    }

    /// Whether the outcome says nothing of other paths that led to the same file before: that file
    /// is not at the decoded path any more.
    private func isOfItsPathOnly(_ decode: Decode) -> Bool {
        guard case .decode(let job, let identity?) = decode.task else { return true }
        return decode.isOfAnotherFile || PathIdentity.lookUp(job.path) != identity
    }

    /// Answers that the picture crashed its decoder, and has it remembered.
    func settleCrash(_ decode: Decode, _ error: RequestError) {
        guard !decode.isSettled else { return }
        // Whichever file it was, the picture itself is not to blame yet.
        if decode.leaveThumbnailsOut() { return decode.kill() }
        counters.crashes += 1
        guard case .decode(let job, let before) = decode.task else {
            return settle(decode, .failure(.watchCrashed))
        }
        // The child has opened the path, so the kernel knows it by now if it ever does.
        if let identity = PathIdentity.lookUp(job.path), before == nil || before == identity {
            onCrasher(identity)
        }
        settle(decode, .failure(error))
    }

    /// Frees the slot, whose child is gone, and begins what comes next.
    func finish(_ decode: Decode) {
        decode.report?.close()
        decode.deathWatch?.cancel()
        decode.deathWatch = nil
        decode.timer.unschedule()
        decode.deadline.unschedule()
        decodes[decode.work] = nil
        schedule.release(decode.work)
        if let zygote = decode.zygote { retireIfIdle(zygote) }
        if decode.profile == .wide {
            wideWork -= 1
            if wideWork == 0 { wideIdle.schedule(after: Double(Limits.wideZygoteIdleSeconds)) }
        }
        startWork()
    }

    /// Ends a zygote that gets no more work, once it has none left.
    func retireIfIdle(_ zygote: Zygote) {
        guard retiring.contains(where: { $0 === zygote }),
            !decodes.values.contains(where: { $0.zygote === zygote })
        else { return }
        retiring.removeAll { $0 === zygote }
        zygote.retire()
    }
}

extension Decode {
    /// What a deadline that has passed means.
    var late: RequestError {
        switch task {
        case .decode: .late
        case .watch: .watchLate
        }
    }

    /// What it means that somebody else has killed the child.
    var killed: RequestError {
        switch task {
        case .decode: .killed
        case .watch: .watchCrashed
        }
    }
}

extension RequestError {
    static let allSlotsLost = RequestError(.busy, "every decoder process hangs")
    static let noRoom = RequestError(.busy, "the machine has no room for another process")
    static let noDecoder = RequestError(.internal, "the decoder does not run")
    static let internalError = RequestError(.internal, "the decoder contradicts itself")
    static let cancelled = RequestError(.shuttingDown, "nobody waits for the answer")
    static let changed = RequestError(.fileChanged, "the file changed while it was read")
    static let late = RequestError(.timeout, "decoding took too long")
    static let watchLate = RequestError(.timeout, "reaching the picture took too long")
    static let watchCrashed = RequestError(.internal, "the process that places watches crashed")
    static let killed = RequestError(.decoderCrashed, "the decoder process was killed")
    static let crashed = RequestError(.decoderCrashed, "the picture crashed its decoder")
    static let invalidReport = RequestError(
        .decoderCrashed, "the picture made its decoder answer nonsense")
    static let crashedBefore = RequestError(
        .decoderCrashed, "the picture crashed its decoder before and has not changed since")
    static let shuttingDown = RequestError(.shuttingDown, "the daemon is shutting down")
}
