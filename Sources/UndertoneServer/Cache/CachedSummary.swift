import GLibSupport
import UndertoneColor
import UndertoneProtocol

/// A picture's summary, packed as the decoder sent it, and the last answers made from it.
@MainContext
final class CachedSummary {
    /// What an answer depends on besides the summary.
    private struct Question: Equatable {
        var names: [String]
        var indices: [Int]
        var average: AverageKind
        var contrast: Double

        init(_ request: ColorRequest) {
            names = request.regionNames
            indices = request.regionIndices
            average = request.average
            contrast = request.contrast
        }
    }

    /// How many different answers are kept.
    private static let answersLimit = 4
    /// What the object, its key and its place in the cache take, about.
    private static let overhead = 512
    /// What an answer takes besides its bytes, about.
    private static let answerOverhead = 128

    private let packed: [UInt8]
    private var answers: [(question: Question, reply: ReplyBody)] = []
    /// The answer that the next new one replaces, once there are enough.
    private var oldest = 0
    /// Where it is kept, if it is.
    var key: DecodeSchedule.Key?
    /// What it takes in memory, about.
    private(set) var bytes: Int

    /// Packs a summary.
    init(_ summary: ImageSummary) {
        packed = summary.encoded()
        bytes = packed.count + summary.regions.count * 32 + Self.overhead
    }

    /// The answer to a question about the picture.
    func reply(to request: ColorRequest) -> ReplyBody {
        let question = Question(request)
        if let known = answers.first(where: { $0.question == question }) { return known.reply }
        guard let summary = try? ImageSummary(validating: packed) else {
            preconditionFailure("a packed summary unpacks")
        }
        let reply = ReplyBody(Reply.color(id: nil, request: request, summary: summary))
        if answers.count < Self.answersLimit {
            answers.append((question, reply))
            bytes += reply.line.count + Self.answerOverhead
        } else {
            bytes += reply.line.count - answers[oldest].reply.line.count
            answers[oldest] = (question, reply)
            oldest = (oldest + 1) % Self.answersLimit
        }
        return reply
    }
}
