/// The program's version, as `--version` and `status` tell it.
public enum Version {
    /// The version by semantic versioning; the protocol's own is `Limits.protocolVersion`.
    public static let current = "1.0.0"
}
