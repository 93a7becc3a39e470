/// A part of the kernel that holds a child back.
enum SandboxMechanism: String, CaseIterable {
    case landlock
    case seccomp
}
