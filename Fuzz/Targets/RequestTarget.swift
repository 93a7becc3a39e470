internal import UndertoneProtocol

extension FuzzTarget {
    /// The parser of requests: what it takes, the decoder takes too; what it refuses has a reply.
    static let request = FuzzTarget(
        name: "request", maximumBytes: 2048, runs: 600_000,
        seeds: { requestLines.map { Array($0.utf8) } }
    ) { line throws(Violation) in
        switch Result(catching: { () throws(RequestFailure) in try Request(parsing: line) }) {
        case .success(let request): try requireAnswerable(request)
        case .failure(let failure): try requireExplained(failure)
        }
    }

    private static func requireAnswerable(_ request: Request) throws(Violation) {
        try require(request.id != .unknown, "an accepted request's identifier is known")
        // Whatever comes of it, the reply has to carry the identifier.
        try ReplyDocument(Reply.error(id: request.id, RequestError(.busy, "later")))
            .requireID(request.id)
        let question: PictureQuestion
        switch request.operation {
        case .status, .cache: return
        case .picture(let asked): question = asked
        case .watch(let watched):
            question = watched
            let job = WatchJob(paths: watched.jobs.map(\.path))
            let received = WatchJob.decode(job.encoded(slot: 7))
            try require(received?.job == job, "the job of a watch arrives unchanged")
        }
        try require(question.jobs.count <= 2, "a question is of at most two pictures")
        for job in question.jobs {
            let packet = job.encoded(slot: 7)
            try require(packet.count <= DecodeJob.maximumEncodedBytes, "a job fits its packet")
            let received = try require(DecodeJob.decode(packet), "the decoder takes the job")
            try require(received.slot == 7 && received.job == job, "the job arrives unchanged")
        }
        switch question.request {
        case .color(let color): try requireInBounds(color)
        case .palette(let palette):
            try require((1...32).contains(palette.count), "the count is within 1…32")
            try require((1...21).contains(palette.contrast), "the contrast is within 1…21")
        case .transition(let transition):
            try require((2...240).contains(transition.frames), "the frames are within 2…240")
            try require((1...21).contains(transition.contrast), "the contrast is within 1…21")
        case .indicator, .theme: break
        }
    }

    private static func requireInBounds(_ color: ColorRequest) throws(Violation) {
        try require((1...21).contains(color.contrast), "the contrast is within 1…21")
        let names = color.regionNames
        try require(names.count <= Limits.regions, "the regions are few")
        try require(Set(names.map { Array($0.utf8) }).count == names.count, "names differ")
        try require(names.count == color.regionIndices.count, "each region has an area")
        try require(
            color.regionIndices.allSatisfy(color.job.regions.indices.contains), "areas exist")
    }

    private static func requireExplained(_ failure: RequestFailure) throws(Violation) {
        let codes: [ErrorCode] = [.parseError, .invalidRequest, .unknownOperation]
        try require(codes.contains(failure.error.code), "\(failure.error.code) is of the line")
        let reply = Reply.error(id: failure.id, failure.error)
        try require(reply.count <= 2048, "a refusal takes \(reply.count) bytes")
        let document = try ReplyDocument(reply)
        try document.requireID(failure.id)
        try document.requireError()
    }

    /// One of each form, good and bad.
    private static let requestLines = [
        #"{"path":"/a.jpg"}"#,
        #"{"id":1,"op":"color","path":"/home/u/\u00fc.png","average":"squareRoot"}"#,
        #"{"id":"x","path_b64":"L2Ev//4=","sampling":"exact","contrast":7}"#,
        #"{"id":-9223372036854775808,"uri":"file:///a%20b%ff.png","priority":"idle"}"#,
        ##"{"uri":"file://localhost/a","backdrop":"#1e90FF","average":"oklab","id":0}"##,
        #"{"path":"/a","regions":{"top":{"edge":"top","size":0.12},"b":{"edge":"left","size":1}}}"#,
        #"{"path":"/a","regions":{"r":{"x":0.25,"y":0,"width":0.75,"height":1e-3}}}"#,
        #"{"op":"status","id":9223372036854775807}"#,
        #"{"op":"palette","path":"/a","count":32,"contrast":7,"sampling":"exact"}"#,
        #"{"op":"indicator","path":"/a","area":{"edge":"left","size":1},"glyph":{"path":"/b"}}"#,
        #"{"op":"indicator","path":"/a","over":"image","scheme":"auto","glyph":{"uri":"file:///"}}"#,
        ##"{"op":"transition","from":"#1E90ff","to":{"path":"/a"},"frames":240,"space":"srgb"}"##,
        #"{"op":"transition","from":{"path_b64":"L2E="},"to":{"path":"/a"},"contrast":1}"#,
        #"{"op":"theme","uri":"file:///a","scheme":"light","format":"pywal"}"#,
        #"{"op":"watch","request":{"path":"/a"},"id":7}"#,
        #"{"op":"watch","request":{"op":"theme","path":"/a"},"priority":"idle"}"#,
        #"{"op":"watch","request":{"op":"status"}}"#, #"{"op":"watch","request":[]}"#,
        #"{"op":"sing","id":"\ud83c\udfb5"}"#,
        #"{"path":"/a","sampling":"thumbnail","contrast":4.5,"average":"linear"}"#,
        #"{"fd":3}"#, #"{"data_b64":""}"#, #"{"id":1.5,"path":"/a"}"#, #"{"id":[],"path":"/a"}"#,
        #"{"path":"/a","path":"/b"}"#, #"{"path":"/a\u0000"}"#, #"{"path":"\ud800"}"#,
        #"{"path":"/a","x":[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]}"#,
        #"{"contrast":1e999,"path":"/"}"#,
        #"[]"#, #"{"#, #"{"path":"/a"} x"#, "\u{FEFF}{}", #"{"\u0001":null}"#,
    ]
}
