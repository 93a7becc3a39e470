import Glibc

/// A system call that failed, with the name of what was tried.
public struct SystemError: Error, Equatable, Sendable {
    /// The error number, positive.
    public var number: Int32
    /// The call or the step that failed, for the message.
    public var call: String

    /// Creates an error.
    public init(_ number: Int32, _ call: String) {
        self.number = number
        self.call = call
    }
}

extension SystemError: CustomStringConvertible {
    /// The call and the C library's text for the number.
    public var description: String {
        unsafe "\(call): \(String(cString: strerror(number)))"
    }
}

/// Makes a C call that answers -1 and sets `errno`, again as long as a signal interrupts it.
///
/// `EAGAIN` is an error like any other; those who expect it look at `number`.
public func retrying<Result: SignedInteger>(
    _ call: String, _ body: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = body()
        if result != -1 { return result }
        let number = errno
        if number != EINTR { throw SystemError(number, call) }
    }
}

/// Turns the `-errno` convention of `CLinux` into a thrown error, again after an interruption.
public func checking<Result: SignedInteger>(
    _ call: String, _ body: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = body()
        if result >= 0 { return result }
        let number = Int32(-result)
        if number != EINTR { throw SystemError(number, call) }
    }
}
