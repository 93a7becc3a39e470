import UndertoneProtocol

/// The kernel's way along a path, one name at a time: no I/O, only what comes next.
///
/// It begins in the root. Each name that it gives is to be looked up in the directory where the
/// walk is then; a link's target is put in the place of the rest's beginning.
struct PathWalk {
    /// What comes next.
    enum Step: Equatable {
        /// Go to the root.
        case root
        /// Go to the directory above.
        case parent
        /// Look a name up, and go there if it is a directory.
        case name([UInt8])
    }

    /// As many links as the kernel follows.
    static let links = 40

    /// The steps that are left, the next one last.
    private var rest: [Step]
    private var followed = 0

    /// Begins the walk along an absolute path.
    init(_ path: [UInt8]) {
        rest = Self.steps(path)
    }

    /// Whether the path ends here.
    var isAtEnd: Bool { rest.isEmpty }

    /// Takes the next step.
    mutating func next() -> Step? { rest.popLast() }

    /// Goes on along a link's target, from the directory that holds the link.
    ///
    /// - Returns: Whether the kernel would.
    mutating func follow(_ target: [UInt8]) -> Bool {
        followed += 1
        guard followed <= Self.links, !target.isEmpty else { return false }
        rest += Self.steps(target)
        // Longer than any path that leads somewhere: links to links that double it each time.
        return rest.count <= Limits.pathBytes
    }

    /// The steps of a path, the last one first.
    private static func steps(_ path: [UInt8]) -> [Step] {
        let slash = UInt8(ascii: "/")
        var steps: [Step] = path.first == slash ? [.root] : []
        for name in path.split(separator: slash) {
            switch Array(name) {
            case Array(".".utf8): break
            case Array("..".utf8): steps.append(.parent)
            case let name: steps.append(.name(name))
            }
        }
        return steps.reversed()
    }
}
