/// Puts replies back into the order of their requests: line N out answers line N in.
struct ReplyQueue {
    /// A request's place in the order.
    struct Ticket: Hashable, Sendable {
        fileprivate var number: Int
    }

    /// Replies that are not taken yet, the oldest request's first; nil where there is none yet.
    private var replies: [[UInt8]?] = []
    /// Where the oldest one is: those before it were taken.
    private var start = 0
    /// The number of the first element of `replies`.
    private var base = 0
    /// Bytes of replies that wait for an older request's.
    private(set) var heldBytes = 0

    /// Requests whose reply was not taken yet.
    var inFlight: Int { replies.count - start }

    /// Takes a place for a request, behind all before it.
    mutating func reserve() -> Ticket {
        replies.append(nil)
        return Ticket(number: base + replies.count - 1)
    }

    /// Answers a request. Each is answered exactly once.
    mutating func fulfil(_ ticket: Ticket, with reply: [UInt8]) {
        let index = ticket.number - base
        precondition(
            replies.indices.contains(index) && index >= start && replies[index] == nil,
            "a request is answered once")
        replies[index] = reply
        heldBytes += reply.count
    }

    /// Moves all replies whose turn it is to the end of a buffer.
    mutating func takeReady(into output: inout [UInt8]) {
        while start < replies.count, let reply = replies[start] {
            output.append(contentsOf: reply)
            heldBytes -= reply.count
            replies[start] = []
            start += 1
        }
        // What was taken goes once it is half of the array, so that each reply moves at most once.
        if start > 0, start * 2 >= replies.count {
            base += start
            replies.removeFirst(start)
            start = 0
        }
    }
}
