import GLibSupport
import UndertoneColor
import UndertoneProtocol

/// The summaries in memory, and the pictures that no decoder is to see again.
@MainContext
struct SummaryCache: ~Copyable {
    private var summaries: BoundedCache<DecodeSchedule.Key, CachedSummary>
    private var crashers = BoundedCache<FileIdentity, Void>(limit: Limits.crashers)

    /// Creates an empty cache of at most this many bytes.
    init(bytes: Int) {
        summaries = BoundedCache(limit: bytes)
    }

    /// How many summaries there are.
    var count: Int { summaries.count }
    /// What they take, replies included.
    var bytes: Int { summaries.cost }

    /// Finds the summary of a file that is still what it was.
    mutating func summary(for key: DecodeSchedule.Key) -> CachedSummary? {
        summaries.value(for: key)
    }

    /// Keeps a summary.
    mutating func insert(_ summary: CachedSummary, for key: DecodeSchedule.Key) {
        summary.key = key
        summaries.insert(summary, for: key, cost: summary.bytes)
    }

    /// Forgets every summary; not the pictures that no decoder is to see again.
    mutating func removeAll() {
        summaries = BoundedCache(limit: summaries.limit)
    }

    /// Answers a question from the summaries of its pictures; the reply about one picture is kept
    /// with it.
    mutating func reply(
        to question: PictureQuestion, from summaries: [CachedSummary]
    ) throws(RequestError) -> ReplyBody {
        if summaries.count == 1 { return try reply(to: question, from: summaries[0]) }
        return ReplyBody(try question.reply(from: summaries.map(\.summary)))
    }

    /// Answers a question from the summary of its only picture, and keeps the reply with it.
    mutating func reply(
        to question: PictureQuestion, from summary: CachedSummary
    ) throws(RequestError) -> ReplyBody {
        let before = summary.bytes
        let reply = try summary.reply(to: question)
        // Not kept, it lives as long as those who wait for it.
        if summary.bytes != before, let key = summary.key {
            self.summaries.charge(summary.bytes - before, for: key)
        }
        return reply
    }

    /// Remembers a picture that crashed its decoder.
    mutating func insertCrasher(_ identity: FileIdentity) {
        crashers.insert((), for: identity, cost: 1)
    }

    /// Whether a picture crashed a decoder and has not changed since.
    mutating func isCrasher(_ identity: FileIdentity) -> Bool {
        crashers.value(for: identity) != nil
    }
}
