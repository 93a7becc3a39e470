import GLibSupport
import UndertoneColor
import UndertoneProtocol

/// A picture's summary, packed as the decoder sent it, and the last answers made from it.
@MainContext
final class CachedSummary {
    /// How many different answers are kept.
    private static let answersLimit = 4
    /// What the object, its key and its place in the cache take, about.
    private static let overhead = 512
    /// What an answer and its question take besides the reply's bytes and the path's, about.
    private static let answerOverhead = 512

    /// As the decoder sent it.
    let packed: [UInt8]
    private var answers: [(question: PictureQuestion, reply: ReplyBody)] = []
    /// The answer that the next new one replaces, once there are enough.
    private var oldest = 0
    /// Where it is kept, if it is.
    var key: DecodeSchedule.Key?
    /// What it takes in memory, about.
    private(set) var bytes: Int

    /// Packs a summary.
    convenience init(_ summary: ImageSummary) {
        self.init(
            StoredSummary(packed: summary.encoded(), regions: summary.regions.count))
    }

    /// Takes what the disk has kept.
    init(_ summary: StoredSummary) {
        packed = summary.packed
        bytes = packed.count + summary.regions * 32 + Self.overhead
    }

    /// The summary itself.
    var summary: ImageSummary {
        guard let summary = try? ImageSummary(validating: packed) else {
            preconditionFailure("a packed summary unpacks")
        }
        return summary
    }

    /// The answer to a question about this picture alone.
    func reply(to question: PictureQuestion) throws(RequestError) -> ReplyBody {
        for known in answers where known.question == question { return known.reply }
        let reply = ReplyBody(try question.reply(from: [summary]))
        let answer = (question: question, reply: reply)
        bytes += Self.cost(answer)
        if answers.count < Self.answersLimit {
            answers.append(answer)
        } else {
            bytes -= Self.cost(answers[oldest])
            answers[oldest] = answer
            oldest = (oldest + 1) % Self.answersLimit
        }
        return reply
    }

    private static func cost(_ answer: (question: PictureQuestion, reply: ReplyBody)) -> Int {
        answer.reply.line.count + answer.question.jobs[0].path.count + answerOverhead
    }
}
