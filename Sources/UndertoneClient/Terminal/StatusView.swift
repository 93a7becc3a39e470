internal import GLibSupport

/// The daemon's status as a person reads it.
///
/// It shows whatever the daemon tells, so that it need not know what a newer one does.
enum StatusView {
    /// Draws the result of a `status` or `cache` reply, with the socket that it came from.
    static func draw(_ status: JSONDocument, socket: [UInt8]) -> String {
        let groups = status.members.filter { !$0.value.members.isEmpty }
        var facts = status.members.filter { $0.value.members.isEmpty }
            .map { (words($0.name), describe($0.value)) }
        facts.append(("socket", printable(socket)))
        var text = rows(facts, indent: "")
        for group in groups {
            let members = group.value.members.map { (words($0.name), describe($0.value)) }
            text += "\n" + words(group.name) + "\n" + rows(members, indent: "  ")
        }
        return text
    }

    private static func rows(_ facts: [(name: String, value: String)], indent: String) -> String {
        let width = facts.map(\.name.count).max() ?? 0
        return facts.map { name, value in
            let gap = String(repeating: " ", count: width - name.count + 2)
            return indent + name + gap + value + "\n"
        }.joined()
    }

    private static func describe(_ value: JSONDocument) -> String {
        switch value {
        case .object(let members):
            members.isEmpty
                ? "none"
                : members.map { "\(words($0.name)) \(describe($0.value))" }.joined(separator: ", ")
        case .array(let values):
            values.isEmpty ? "none" : values.map(describe).joined(separator: ", ")
        case .string(let text): printable(text)
        case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
        case .boolean(let value): value ? "yes" : "no"
        case .null: "not known"
        }
    }

    /// A member's name as words: `cacheHits` becomes `cache hits`.
    static func words(_ name: String) -> String {
        printable(name).map { $0.isUppercase ? " \($0.lowercased())" : String($0) }.joined()
    }
}
