import GLibSupport
import UndertoneColor
import UndertoneProtocol

/// Questions about pictures.
extension Service {
    /// A question that the cache could not answer.
    struct Question: Sendable {
        var id: RequestID?
        var priority: Request.Priority
        var question: PictureQuestion
        /// One for each of the question's jobs.
        var pictures: [Picture]
    }

    /// A picture of a question, as far as the cache knows it.
    enum Picture: Sendable {
        case known(CachedSummary)
        case crasher
        /// With the file's identity, if that could be told.
        case unknown(FileIdentity?)
    }

    /// Answers a question about pictures, at once if the cache knows all of them.
    func answer(
        _ question: PictureQuestion, _ request: Request
    ) throws(RequestFailure) -> Answer {
        var pictures: [Picture] = []
        for job in question.jobs {
            let picture = lookUp(job)
            // Most questions end here, and make no list.
            if question.jobs.count == 1, case .known(let summary) = picture {
                return try answer(question, request, from: summary)
            }
            pictures.append(picture)
        }
        var summaries: [CachedSummary] = []
        for (index, picture) in pictures.enumerated() {
            switch picture {
            case .known(let summary): summaries.append(summary)
            case .crasher:
                let error = question.error(.crashedBefore, ofPicture: index)
                throw RequestFailure(id: request.id, error: error)
            case .unknown: break
            }
        }
        if summaries.count < pictures.count {
            counters.cacheMisses += 1
            let waiting = Question(
                id: request.id, priority: request.priority, question: question, pictures: pictures)
            let work: Work = { await self.answer(waiting, client: $0) }
            return .later(work)
        }
        return try answer(question, request, from: summaries)
    }

    private func answer(
        _ question: PictureQuestion, _ request: Request, from summary: CachedSummary
    ) throws(RequestFailure) -> Answer {
        counters.cacheHits += 1
        return try answer(request) { () throws(RequestError) in
            try cache.reply(to: question, from: summary)
        }
    }

    private func answer(
        _ question: PictureQuestion, _ request: Request, from summaries: [CachedSummary]
    ) throws(RequestFailure) -> Answer {
        if !summaries.isEmpty { counters.cacheHits += 1 }
        return try answer(request) { () throws(RequestError) in
            try cache.reply(to: question, from: summaries)
        }
    }

    private func answer(
        _ request: Request, with reply: @MainContext () throws(RequestError) -> ReplyBody
    ) throws(RequestFailure) -> Answer {
        do throws(RequestError) {
            let reply = try reply()
            counters.replies += 1
            return .known(reply, request.id)
        } catch {
            throw RequestFailure(id: request.id, error: error)
        }
    }

    /// Looks a picture up in the cache.
    func lookUp(_ job: DecodeJob) -> Picture {
        guard let identity = identity(of: job.path) else { return .unknown(nil) }
        let key = DecodeSchedule.Key(job, identity: identity)
        if let summary = cache.summary(for: key) { return .known(summary) }
        // The first of these is the job itself, and mostly all.
        for job in job.answers.dropFirst() {
            let key = DecodeSchedule.Key(job, identity: identity)
            if let summary = cache.summary(for: key) { return .known(summary) }
        }
        return cache.isCrasher(identity) ? .crasher : .unknown(identity)
    }

    /// Has the pictures decoded, side by side, and answers.
    private func answer(_ waiting: Question, client: Int) async -> [UInt8] {
        do throws(RequestError) {
            let reply = try await reply(to: waiting, client: client)
            if Task.isCancelled { return [] }
            countReply(nil)
            return reply.addressed(to: waiting.id)
        } catch {
            // The client is gone; nobody is answered.
            return Task.isCancelled ? [] : failure(id: waiting.id, error)
        }
    }

    /// The answer to a question about pictures, which are decoded side by side if need be.
    func reply(to waiting: Question, client: Int) async throws(RequestError) -> ReplyBody {
        let question = waiting.question
        var summaries: [CachedSummary] = []
        for (index, outcome) in await outcomes(of: waiting, client: client).enumerated() {
            switch outcome {
            case .success(let summary): summaries.append(summary)
            case .failure(let error): throw question.error(error, ofPicture: index)
            }
        }
        return try cache.reply(to: question, from: summaries)
    }

    /// What comes of each of a question's pictures.
    private func outcomes(of waiting: Question, client: Int) async -> [DecoderPool.Outcome] {
        let pictures = waiting.pictures
        if pictures.count == 1 { return [await outcome(of: waiting, 0, client: client)] }
        return await withTaskGroup(of: (Int, DecoderPool.Outcome).self) { group in
            for index in pictures.indices {
                // Isolated by its type, so that the task starts on the main context.
                let operation: @Sendable @MainContext () async -> (Int, DecoderPool.Outcome) = {
                    (index, await self.outcome(of: waiting, index, client: client))
                }
                group.addTask(operation: operation)
            }
            var outcomes = pictures.map { _ in DecoderPool.Outcome.failure(.cancelled) }
            for await (index, outcome) in group { outcomes[index] = outcome }
            return outcomes
        }
    }

    private func outcome(
        of waiting: Question, _ index: Int, client: Int
    ) async -> DecoderPool.Outcome {
        let job = waiting.question.jobs[index]
        var picture = waiting.pictures[index]
        // The disk is asked about files. Which one it is the daemon itself finds, as always: a
        // child only has the kernel learn the way.
        if case .unknown(nil) = picture, disk.isAskable, PathIdentity.isUnknown(job.path) {
            let error = await pool.look(
                at: job.path, client: client, priority: waiting.priority)
            // Whatever else there is, the decoder will meet and tell.
            if let error, error.code == .timeout { return .failure(error) }
            picture = lookUp(job)
        }
        switch picture {
        case .known(let summary): return .success(summary)
        case .crasher: return .failure(.crashedBefore)
        case .unknown(let identity):
            if let summary = await storedSummary(of: job, identity) { return .success(summary) }
            return await pool.summary(
                of: job, identity: identity, client: client, priority: waiting.priority)
        }
    }

    /// Looks a picture up on disk, and keeps in memory what is found.
    private func storedSummary(
        of job: DecodeJob, _ identity: FileIdentity?
    ) async -> CachedSummary? {
        for job in job.answers {
            let key = DecodeSchedule.Key(job, identity: identity)
            guard let stored = await disk.summary(for: key) else { continue }
            // Somebody else may have been answered from there meanwhile.
            if let known = cache.summary(for: key) { return known }
            let summary = CachedSummary(stored)
            cache.insert(summary, for: key)
            return summary
        }
        return nil
    }
}
