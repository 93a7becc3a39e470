import Testing

@testable import UndertoneProtocol

/// Returns why a line is no request.
func rejection(
    _ line: String, sourceLocation: SourceLocation = #_sourceLocation
) -> RequestFailure {
    rejection(Array(line.utf8), sourceLocation: sourceLocation)
}

/// Returns why a line is no request.
func rejection(
    _ line: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
) -> RequestFailure {
    do throws(RequestFailure) {
        let request = try Request(parsing: line)
        Issue.record("taken as \(request)", sourceLocation: sourceLocation)
        return RequestFailure(id: nil, error: RequestError(.internal, ""))
    } catch {
        return error
    }
}
