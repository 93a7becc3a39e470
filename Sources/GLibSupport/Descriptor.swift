import Glibc

/// An open file descriptor with exactly one owner, which closes it.
public struct Descriptor: ~Copyable, Sendable {
    /// The number, valid for as long as this value lives.
    public let number: Int32

    /// Takes over a descriptor that nobody else closes.
    public init(owning number: Int32) {
        self.number = number
    }

    /// Gives the descriptor away: the caller closes it.
    public consuming func release() -> Int32 {
        let number = self.number
        discard self
        return number
    }

    deinit {
        // EINTR is not retried: on Linux the descriptor is gone all the same.
        close(number)
    }
}

/// A descriptor where a `~Copyable` value cannot go: in a dictionary, an array or a closure.
public final class SharedDescriptor: Sendable {
    private let descriptor: Descriptor

    /// Takes the descriptor over; it is closed with the last reference.
    public init(_ descriptor: consuming Descriptor) {
        self.descriptor = descriptor
    }

    /// The number, valid for as long as this object lives.
    public var number: Int32 { descriptor.number }
}
