import Testing
import UndertoneProtocol

@Suite struct WatchParsingTests {
    private func parse(_ line: String) throws -> Request {
        try Request(parsing: Array(line.utf8))
    }

    private func refusal(_ line: String) -> String? {
        do throws(RequestFailure) {
            _ = try Request(parsing: Array(line.utf8))
            return nil
        } catch {
            return error.error.code == .invalidRequest ? error.error.message : "\(error)"
        }
    }

    @Test(arguments: [
        #""path":"/a""#, #""op":"color","path":"/a","contrast":7"#,
        #""op":"palette","path":"/a","count":3"#, #""op":"theme","uri":"file:///a""#,
        ##""op":"transition","from":"#000000","to":{"path":"/a"}"##,
    ])
    func watchesWhatTheRequestAsks(_ members: String) throws {
        let watch = try parse(#"{"id":7,"op":"watch","request":{\#(members)}}"#)
        guard case .picture(let question) = try parse("{\(members)}").operation else {
            Issue.record("no question about a picture")
            return
        }
        #expect(watch.operation == .watch(question))
        #expect(watch.id == .integer(7))
        #expect(watch.priority == .normal)
    }

    @Test func takesAPriority() throws {
        let watch = try parse(#"{"op":"watch","priority":"idle","request":{"path":"/a"}}"#)
        #expect(watch.priority == .idle)
        #expect(watch.id == nil)
    }

    @Test(arguments: [
        (#"{"op":"watch"}"#, "request is missing"),
        (#"{"op":"watch","request":[]}"#, "request must be an object"),
        (#"{"op":"watch","request":"/a"}"#, "request must be an object"),
        (#"{"op":"watch","path":"/a"}"#, "unknown field path"),
        (#"{"op":"watch","request":{"id":1,"path":"/a"}}"#, "unknown field request.id"),
        (
            #"{"op":"watch","request":{"priority":"idle","path":"/a"}}"#,
            "unknown field request.priority"
        ),
        (#"{"op":"watch","request":{"pth":"/a"}}"#, "unknown field request.pth"),
        (#"{"op":"watch","request":{"path":"a"}}"#, "request.path must be absolute"),
        (#"{"op":"watch","request":{"op":1,"path":"/a"}}"#, "request.op must be a string"),
        (
            ##"{"op":"watch","request":{"op":"transition","from":"#000000","to":"#ffffff"}}"##,
            "request must be about a picture: there is nothing to watch"
        ),
    ])
    func saysWhatIsWrong(_ line: String, _ message: String) {
        #expect(refusal(line) == message)
    }

    @Test(arguments: ["status", "watch", "sing"])
    func watchesNothingElse(_ operation: String) {
        let message = refusal(#"{"op":"watch","request":{"op":"\#(operation)"}}"#)
        #expect(message?.hasPrefix("request.op must be one of: color, palette") == true)
    }
}
