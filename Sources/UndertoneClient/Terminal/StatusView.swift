/// The daemon's status as a person reads it.
///
/// It shows whatever the daemon tells, so that it need not know what a newer one does.
enum StatusView {
    /// Draws the result of a `status` reply.
    static func draw(_ status: JSONDocument) -> String {
        let groups = status.members.filter { !$0.value.members.isEmpty }
        var text = rows(status.members.filter { $0.value.members.isEmpty }, indent: "")
        for group in groups {
            text += "\n" + words(group.name) + "\n" + rows(group.value.members, indent: "  ")
        }
        return text
    }

    private static func rows(_ members: [JSONDocument.Member], indent: String) -> String {
        let width = members.map { words($0.name).count }.max() ?? 0
        return members.map { member in
            let name = words(member.name)
            let gap = String(repeating: " ", count: width - name.count + 2)
            return indent + name + gap + describe(member.value) + "\n"
        }.joined()
    }

    private static func describe(_ value: JSONDocument) -> String {
        switch value {
        case .object(let members):
            members.map { "\(words($0.name)) \(describe($0.value))" }.joined(separator: ", ")
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
