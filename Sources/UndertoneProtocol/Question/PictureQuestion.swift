public import UndertoneColor

/// A question that is answered from what pictures were reduced to.
///
/// It says what has to be decoded and makes the reply of the summaries; how these come about is
/// the asker's affair.
public struct PictureQuestion: Hashable, Sendable {
    /// The operations that ask about pictures, each with all that its answer depends on.
    public enum Request: Hashable, Sendable {
        /// The colours of a picture and of its regions.
        case color(ColorRequest)
        /// The few most telling colours of a picture.
        case palette(PaletteRequest)
        /// Terminal colours and roles made from a picture.
        case theme(ThemeRequest)
    }

    /// What is asked.
    public let request: Request
    /// What has to be decoded for it, in the order in which `reply(from:)` takes the summaries: at
    /// most two pictures.
    public let jobs: [DecodeJob]

    /// Asks something.
    public init(_ request: Request) {
        self.request = request
        jobs =
            switch request {
            case .color(let request): [request.job]
            case .palette(let request): [request.job]
            case .theme(let request): [request.job]
            }
    }

    /// The names of the pictures in messages, as of `jobs`; empty where there is only one.
    private var pictureNames: [String] { [] }

    /// Says of which picture an error is, where there are several.
    ///
    /// - Parameters:
    ///   - error: Why there is no summary.
    ///   - index: Which of `jobs` it was.
    public func error(_ error: RequestError, ofPicture index: Int) -> RequestError {
        guard pictureNames.indices.contains(index) else { return error }
        var named = error
        named.message = "\(pictureNames[index]): \(error.message)"
        return named
    }

    /// Answers.
    ///
    /// - Parameter summaries: What the pictures of `jobs` were reduced to.
    /// - Returns: The whole line for a request without an identifier.
    public func reply(from summaries: [ImageSummary]) throws(RequestError) -> [UInt8] {
        guard summaries.count == jobs.count else {
            throw RequestError(.internal, "the summaries are of other pictures")
        }
        switch request {
        case .color(let request): return try Reply.color(id: nil, request, of: summaries[0])
        case .palette(let request): return Reply.palette(id: nil, request, of: summaries[0])
        case .theme(let request): return try Reply.theme(id: nil, request, of: summaries[0])
        }
    }
}
