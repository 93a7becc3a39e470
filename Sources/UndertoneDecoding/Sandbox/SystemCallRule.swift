import Glibc

/// One row of a system-call table: a call that a child may make, when, and why.
struct SystemCallRule: Equatable, Sendable {
    /// The kernel's name for the call.
    var name: String
    /// What its arguments must be, all of them; without any, whatever they are.
    var conditions: [ArgumentCondition]
    /// What happens.
    var answer: Answer
    /// What a decoder needs it for.
    var reason: String

    /// Lets a call through.
    static func allow(
        _ name: String, where conditions: [ArgumentCondition] = [], _ reason: String
    ) -> SystemCallRule {
        SystemCallRule(name: name, conditions: conditions, answer: .allow, reason: reason)
    }

    /// Refuses a call with another error than the table's own.
    static func refuse(_ name: String, with error: Int32, _ reason: String) -> SystemCallRule {
        SystemCallRule(name: name, conditions: [], answer: .refuse(error), reason: reason)
    }

    /// Answers success without making the call.
    static func pretend(_ name: String, _ reason: String) -> SystemCallRule {
        SystemCallRule(name: name, conditions: [], answer: .refuse(0), reason: reason)
    }

    enum Answer: Equatable, Sendable {
        case allow
        /// The call is not made; the error number is its answer, 0 for success.
        case refuse(Int32)
    }

    /// The row as people read it: the call, when, what happens, and why.
    var cells: [String] {
        let answer =
            switch answer {
            case .allow: "allowed"
            case .refuse(0): "pretended"
            case .refuse(EACCES): "EACCES"
            case .refuse(ENOSYS): "ENOSYS"
            case .refuse(let error): "error \(error)"
            }
        let condition = conditions.map(\.text).joined(separator: ", ")
        return ["`\(name)`", condition.isEmpty ? "always" : condition, answer, reason]
    }
}

/// What one argument of a system call must be.
struct ArgumentCondition: Equatable, Sendable {
    /// The argument's position, from 0.
    var argument: UInt32
    /// The bits that are looked at.
    var mask: UInt64
    /// What they must be.
    var value: UInt64
    /// The condition in words, for the table that people read.
    var text: String

    /// The whole argument is one value.
    static func equal(_ argument: UInt32, _ value: UInt64, _ text: String) -> ArgumentCondition {
        ArgumentCondition(argument: argument, mask: .max, value: value, text: text)
    }

    /// None of the bits is set.
    static func without(_ bits: UInt64, in argument: UInt32, _ text: String) -> ArgumentCondition {
        ArgumentCondition(argument: argument, mask: bits, value: 0, text: text)
    }

    /// All of the bits are set.
    static func with(_ bits: UInt64, in argument: UInt32, _ text: String) -> ArgumentCondition {
        ArgumentCondition(argument: argument, mask: bits, value: bits, text: text)
    }
}
