/// One thing that was looked at.
struct Finding: Equatable {
    /// What it is about.
    enum Topic: String {
        case socket, daemon, loaders, sandbox, cache, decoders
    }

    var topic: Topic
    /// Whether there is nothing to be done.
    var isGood: Bool
    /// What was found, on one line.
    var text: String
    /// What to do about it, on one line, where something is to be done.
    var advice: String?
    /// The Debian package that would help.
    var package: String?

    /// Says that something is as it should be.
    static func good(_ topic: Topic, _ text: String) -> Finding {
        Finding(topic: topic, isGood: true, text: text)
    }

    /// Says that something needs doing, and what.
    static func fault(
        _ topic: Topic, _ text: String, do advice: String, package: String? = nil
    ) -> Finding {
        Finding(topic: topic, isGood: false, text: text, advice: advice, package: package)
    }
}
