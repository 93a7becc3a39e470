public import UndertoneColor

/// A question that is answered from what pictures were reduced to.
///
/// It says what has to be decoded and makes the reply of the summaries; how these come about is
/// the asker's affair.
public struct PictureQuestion: Hashable, Sendable {
    /// The operations that ask about pictures, each with all that its answer depends on.
    public indirect enum Request: Hashable, Sendable {
        /// The colours of a picture and of its regions.
        case color(ColorRequest)
        /// The few most telling colours of a picture.
        case palette(PaletteRequest)
        /// The strip under a picture that shows which of several it is.
        case indicator(IndicatorRequest)
        /// The way from one picture's colour to another's.
        case transition(TransitionRequest)
        /// Terminal colours and roles made from a picture.
        case theme(ThemeRequest)
    }

    /// What is asked.
    public let request: Request
    /// What has to be decoded for it, in the order in which `reply(from:)` takes the summaries: at
    /// most two pictures, none for a transition between colours.
    public let jobs: [DecodeJob]

    /// Asks something.
    public init(_ request: Request) {
        self.request = request
        jobs =
            switch request {
            case .color(let request): [request.job]
            case .palette(let request): [request.job]
            case .indicator(let request): [request.job] + (request.glyph.map { [$0] } ?? [])
            case .transition(let request): [request.from.job, request.to.job].compactMap(\.self)
            case .theme(let request): [request.job]
            }
    }

    /// The jobs follow from what is asked.
    public static func == (one: PictureQuestion, other: PictureQuestion) -> Bool {
        one.request == other.request
    }

    /// The names of the pictures in messages, as of `jobs`; nil for the one that `path` names.
    private var pictureNames: [String?] {
        switch request {
        case .color, .palette, .theme: [nil]
        case .indicator: [nil, "glyph"]
        case .transition(let request):
            (request.from.job == nil ? [] : ["from"]) + (request.to.job == nil ? [] : ["to"])
        }
    }

    /// Says of which picture an error is, where the request can name several.
    ///
    /// - Parameters:
    ///   - error: Why there is no summary.
    ///   - index: Which of `jobs` it was.
    public func error(_ error: RequestError, ofPicture index: Int) -> RequestError {
        guard let name = pictureNames[index] else { return error }
        var named = error
        named.message = "\(name): \(error.message)"
        return named
    }

    /// Answers.
    ///
    /// - Parameter summaries: What the pictures of `jobs` were reduced to.
    /// - Returns: The whole line for a request without an identifier.
    /// - Throws: `internal` where the summaries are not those of the jobs.
    public func reply(from summaries: [ImageSummary]) throws(RequestError) -> [UInt8] {
        guard summaries.count == jobs.count else {
            throw RequestError(.internal, "the summaries are of other pictures")
        }
        for (summary, job) in zip(summaries, jobs)
        where summary.regions.count != job.regions.count {
            throw RequestError(.internal, "the summary is of other regions")
        }
        switch request {
        case .color(let request): return Reply.color(id: nil, request, of: summaries[0])
        case .palette(let request): return Reply.palette(id: nil, request, of: summaries[0])
        case .indicator(let request):
            return Reply.indicator(
                id: nil, request, of: summaries[0], glyph: summaries.dropFirst().first)
        case .transition(let request):
            return Reply.transition(id: nil, request, of: summaries)
        case .theme(let request): return try Reply.theme(id: nil, request, of: summaries[0])
        }
    }
}
