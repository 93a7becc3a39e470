internal import UndertoneColor

/// The members of a JSON object, with the messages for those that are wrong.
struct RequestFields {
    private let members: [JSONValue.Member]
    /// What precedes a member's name in messages: empty, or the object's own name and a dot.
    private let prefix: String

    /// Looks at an object's members; `owner` is its name, empty for the request itself.
    init(_ members: [JSONValue.Member], owner: String = "") {
        self.members = members
        prefix = owner.isEmpty ? "" : owner + "."
    }

    /// Refuses members of any other name: a misspelt one must not silently mean the default.
    func allowOnly(_ names: [String]) throws(RequestError) {
        if let unknown = members.first(where: { !names.contains($0.name) }) {
            throw .invalid("unknown field \(name(unknown.name.shortened))")
        }
    }

    /// The name that messages give to a member.
    func name(_ key: String) -> String { prefix + key }

    /// A member's value.
    subscript(key: String) -> JSONValue? { members.first { $0.name == key }?.value }

    /// Returns a number within bounds.
    func number(
        _ key: String, in range: ClosedRange<Double>
    ) throws(RequestError) -> Double? {
        guard let value = self[key] else { return nil }
        guard let number = value.number, range.contains(number) else {
            let bounds = "from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
            throw .invalid("\(name(key)) must be a number \(bounds)")
        }
        return number
    }

    /// Returns a whole number within bounds, however it is written.
    func whole(_ key: String, in range: ClosedRange<Int>) throws(RequestError) -> Int? {
        guard let value = self[key] else { return nil }
        guard let number = value.number, let whole = Int(exactly: number), range.contains(whole)
        else {
            let bounds = "from \(range.lowerBound) to \(range.upperBound)"
            throw .invalid("\(name(key)) must be a whole number \(bounds)")
        }
        return whole
    }

    /// Returns a truth value.
    func flag(_ key: String) throws(RequestError) -> Bool? {
        guard let value = self[key] else { return nil }
        guard case .boolean(let flag) = value else {
            throw .invalid("\(name(key)) must be true or false")
        }
        return flag
    }

    /// Returns a colour written as `#rrggbb`.
    func color(_ key: String) throws(RequestError) -> RGB8? {
        guard let value = self[key] else { return nil }
        guard case .string(let bytes) = value, let color = RGB8(hexBytes: bytes) else {
            throw .invalid("\(name(key)) must be a color like \"#1e90ff\"")
        }
        return color
    }

    /// Returns the members of an object.
    func object(_ key: String) throws(RequestError) -> RequestFields? {
        guard let value = self[key] else { return nil }
        guard case .object(let members) = value else {
            throw .invalid("\(name(key)) must be an object")
        }
        return RequestFields(members, owner: name(key))
    }

    /// Returns the case that a string names; `others` are names that the caller has looked for.
    func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ key: String, besides others: [String] = []
    ) throws(RequestError) -> Value? {
        guard let value = self[key] else { return nil }
        if let known = value.text.flatMap(Value.init(rawValue:)) { return known }
        let names = (Value.allCases.map(\.rawValue) + others).joined(separator: ", ")
        throw .invalid("\(name(key)) must be one of: \(names)")
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
