internal import Glibc
internal import UndertoneProtocol

/// The questions about pictures whose names are given or come from standard input.
final class PictureQuestions: RequestSource {
    private let request: ([UInt8]) -> [UInt8]
    private var given: ArraySlice<[UInt8]> = []
    private var input: InputPieces?
    /// The names whose questions were sent and not answered, in that order.
    private var asked: [[UInt8]] = []
    private var answered = 0

    /// How many there are, where that can be told.
    let total: Int?

    /// Creates the questions about pictures, each of which `request` writes with its absolute path.
    init(_ names: Invocation.PictureNames, _ request: @escaping ([UInt8]) -> [UInt8]) {
        self.request = request
        switch names {
        case .given(let names):
            given = names[...]
            total = names.count
        case .input(let separator):
            input = InputPieces(separator: separator)
            total = nil
        }
    }

    var descriptor: Int32 { STDIN_FILENO }

    func next() throws -> Supply {
        let name: [UInt8]
        if let first = given.popFirst() {
            name = first
        } else if let piece = input?.next() {
            name = piece
        } else {
            return input?.isAtEnd ?? true ? .end : .later
        }
        // A name that no file can have would be cut out of the daemon's answer, or its line be
        // too long; it is asked for as the daemon says so itself.
        asked.append(name)
        return .requests(request(try PathBytes.absolute(name)), count: 1)
    }

    func fill() throws {
        try input?.fill()
    }

    /// Takes the name that the next reply is about, or nil if nothing was asked.
    func takeAnswered() -> [UInt8]? {
        guard answered < asked.count else { return nil }
        let name = asked[answered]
        answered += 1
        if answered == asked.count {
            asked.removeAll(keepingCapacity: true)
            answered = 0
        } else if answered == 1024 {
            asked.removeFirst(answered)
            answered = 0
        }
        return name
    }
}
