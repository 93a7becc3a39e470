import UndertoneProtocol

/// What every zygote of a daemon is started with.
struct DecoderSetup {
    /// The program's path.
    var program: [UInt8]
    /// Whether pictures are decoded where they cannot be confined.
    var sandbox = SandboxRequirement.required
    /// Seconds that one picture may take.
    var deadlineSeconds = Limits.deadlineSeconds
}
