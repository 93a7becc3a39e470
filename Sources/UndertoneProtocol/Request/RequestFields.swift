/// The members of a JSON object, taken one by one, so that those left over are the unknown ones.
struct RequestFields {
    private var members: [JSONValue.Member]
    /// What precedes a member's name in messages: empty, or the object's own name and a dot.
    private let prefix: String

    /// Takes an object's members; `owner` is its name, empty for the request itself.
    init(_ members: [JSONValue.Member], owner: String = "") {
        self.members = members
        prefix = owner.isEmpty ? "" : owner + "."
    }

    /// The name that messages give to a member.
    func name(_ key: String) -> String { prefix + key }

    /// Whether a member of this name is left.
    func has(_ key: String) -> Bool { members.contains { $0.name == key } }

    /// Removes and returns a member's value.
    mutating func take(_ key: String) -> JSONValue? {
        guard let index = members.firstIndex(where: { $0.name == key }) else { return nil }
        return members.remove(at: index).value
    }

    /// Removes a number within bounds.
    mutating func take(
        _ key: String, in range: ClosedRange<Double>
    ) throws(RequestError) -> Double? {
        guard let value = take(key) else { return nil }
        guard let number = value.number, range.contains(number) else {
            let bounds = "from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
            throw .invalid("\(name(key)) must be a number \(bounds)")
        }
        return number
    }

    /// Removes a string that names one of several values.
    mutating func take<Value>(
        _ key: String, _: Value.Type = Value.self, of named: [(name: String, value: Value)]
    ) throws(RequestError) -> Value? {
        guard let value = take(key) else { return nil }
        if let text = value.text, let known = named.first(where: { $0.name == text }) {
            return known.value
        }
        let names = named.map(\.name).joined(separator: ", ")
        throw .invalid("\(name(key)) must be one of: \(names)")
    }

    /// Ends the taking: whatever is left is not a field.
    func finish() throws(RequestError) {
        if let unknown = members.first {
            throw .invalid("unknown field \(name(unknown.name.shortened))")
        }
    }
}

extension RequestError {
    /// An `invalid_request`.
    static func invalid(_ message: String) -> RequestError {
        RequestError(.invalidRequest, message)
    }
}

extension String {
    /// A client's own text, short enough for a message.
    var shortened: String {
        let most = 64
        guard utf8.count > most else { return self }
        // By scalars: one character may be any number of bytes.
        var kept = ""
        for scalar in unicodeScalars {
            if kept.utf8.count + scalar.utf8.count > most { break }
            kept.unicodeScalars.append(scalar)
        }
        return kept + "…"
    }

    /// The same in quotation marks.
    var quoted: String { "\"\(shortened)\"" }
}
