extension Collection<UInt8> {
    /// The bytes as C takes a path: with a NUL behind them.
    public var cString: [CChar] { map { CChar(bitPattern: $0) } + [0] }
}
