/// A part that reads what strangers wrote, and what must hold whatever they wrote.
///
/// Beyond what `check` looks at, no input may trap, hang, leak or touch memory that it should not.
public struct FuzzTarget: Sendable {
    /// The name on the command line and of the folder of regressions.
    public let name: String
    /// The size up to which inputs are interesting.
    public let maximumBytes: Int
    /// How many inputs a run with a seed tries: some twenty seconds' worth, so that the time that
    /// it has at most does not decide how far it comes, whatever the machine.
    public let runs: Int
    /// Inputs made of real values, for the fuzzer to start from.
    public let seeds: @Sendable () -> [[UInt8]]
    /// Feeds one input to the part and looks at what comes of it.
    public let check: @Sendable ([UInt8]) throws(Violation) -> Void

    /// All targets.
    public static let all: [FuzzTarget] = [
        answer, event, job, lines, numbers, outline, pixels, places, report, request, summary,
    ]
}

/// Something that did not hold.
public struct Violation: Error, CustomStringConvertible {
    /// What should have been the case.
    public let description: String
}

/// Requires that something holds.
func require(
    _ condition: Bool, _ message: @autoclosure () -> String
) throws(Violation) {
    guard condition else { throw Violation(description: message()) }
}

/// Requires that there is a value.
func require<Value>(
    _ value: Value?, _ message: @autoclosure () -> String
) throws(Violation) -> Value {
    guard let value else { throw Violation(description: message()) }
    return value
}
