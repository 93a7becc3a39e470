/// What to do with a picture where its sandbox can't be had.
enum SandboxRequirement: String, CaseIterable {
    /// Refuse it.
    case required
    /// Decode it all the same; the user has said so.
    case bestEffort = "best-effort"
}
