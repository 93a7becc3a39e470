/// What to do with a picture where its sandbox can't be had.
public enum SandboxRequirement: String, CaseIterable, Sendable {
    /// Refuse it.
    case required
    /// Decode it all the same; the user has said so.
    case bestEffort = "best-effort"
}
