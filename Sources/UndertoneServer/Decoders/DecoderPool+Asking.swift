import GLibSupport
import UndertoneColor
import UndertoneProtocol

/// Who asks, and what they are told.
extension DecoderPool {
    /// What a child was asked for.
    enum Product: Sendable {
        /// A picture's summary.
        case summary(CachedSummary)
        /// Which files the paths led to, and what to look out for.
        case watches([FileIdentity?], [WatchPlace])
    }

    /// What comes of a picture.
    typealias Outcome = Result<CachedSummary, RequestError>
    /// What comes of a child.
    typealias Completion = Result<Product, RequestError>

    /// What work tells those who wait for it.
    struct Answer: Sendable {
        var outcome: Completion
        /// Which path was decoded.
        var path: [UInt8]
        /// Whether it is no answer for those who named the same file by another path.
        var isOfItsPathOnly = false

        /// What came of a picture.
        var summary: Outcome {
            outcome.flatMap { product in
                guard case .summary(let summary) = product else {
                    return .failure(.internalError)
                }
                return .success(summary)
            }
        }
    }

    /// Has a picture decoded; the work is given up when the last task that waits for it is
    /// cancelled.
    func summary(
        of job: DecodeJob, identity: FileIdentity?, client: Int, priority: Request.Priority
    ) async -> Outcome {
        let answer = await answer(
            to: .decode(job, identity), DecodeSchedule.Key(job, identity: identity), client,
            priority)
        if answer.path == job.path || !answer.isOfItsPathOnly { return answer.summary }
        // Another path's file was replaced while it was decoded; this one's must be looked at, and
        // now it is shared by its path alone.
        return await self.answer(
            to: .decode(job, nil), DecodeSchedule.Key(job, identity: nil), client, priority
        ).summary
    }

    /// Has watches placed in an inotify instance; the work is given up when the task is cancelled.
    ///
    /// - Returns: Which files the paths led to, and what to look out for.
    func watch(
        _ job: WatchJob, in instance: SharedDescriptor, client: Int, priority: Request.Priority
    ) async -> Result<([FileIdentity?], [WatchPlace]), RequestError> {
        // Nobody else's instance is the same, so the work is never shared.
        let answer = await answer(to: .watch(job, instance), nil, client, priority)
        return answer.outcome.flatMap { product in
            guard case .watches(let files, let places) = product else {
                return .failure(.internalError)
            }
            return .success((files, places))
        }
    }

    /// Has a child go a path's way, so that the kernel knows where it leads; the work is given up
    /// when the last task that waits for it is cancelled.
    ///
    /// - Returns: Why that has failed. What is not there is no failure.
    func look(
        at path: [UInt8], client: Int, priority: Request.Priority
    ) async -> RequestError? {
        var key = DecodeSchedule.Key(DecodeJob(path: path), identity: nil)
        key.isLook = true
        let job = WatchJob(paths: [path], placesWatches: false)
        let answer = await answer(to: .watch(job, nil), key, client, priority)
        guard case .failure(let error) = answer.outcome else { return nil }
        return error
    }

    private func answer(
        to task: Decode.Task, _ key: DecodeSchedule.Key?, _ client: Int,
        _ priority: Request.Priority
    ) async -> Answer {
        if isRefusing { return Answer(outcome: .failure(.shuttingDown), path: task.path) }
        if schedule.isExhausted {
            return Answer(outcome: .failure(.allSlotsLost), path: task.path)
        }
        let (waiter, work, joined) = schedule.submit(key, client: client, priority: priority)
        if joined {
            // Who looked together is counted where the picture is decoded.
            if case .decode = task { counters.shared += 1 }
        } else {
            decodes[work] = Decode(
                work: work, task: task, onTimer: { [weak self] in self?.noteTimer($0) },
                onDeadline: { [weak self] in self?.noteDeadline($0) })
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                continuations[waiter] = continuation
                if Task.isCancelled { cancel(waiter) } else { startWork() }
            }
        } onCancel: {
            // Only connections cancel, on the main context.
            MainContext.assumeIsolated { self.cancel(waiter) }
        }
    }

    private func cancel(_ waiter: DecodeSchedule.Waiter) {
        guard let continuation = continuations.removeValue(forKey: waiter) else { return }
        // Nobody looks at the answer.
        defer { continuation.resume(returning: Answer(outcome: .failure(.cancelled), path: [])) }
        switch schedule.cancel(waiter) {
        case .nothing: break
        case .dropped(let work): decodes[work] = nil
        case .abandoned(let work):
            guard let decode = decodes[work] else { break }
            decode.isSettled = true
            giveUp(decode)
        }
    }
}
