/// A JSON value, as replies hold them.
enum JSONDocument: Equatable {
    /// Members in the order of the text.
    case object([Member])
    case array([JSONDocument])
    case string(String)
    case number(Double)
    case boolean(Bool)
    case null

    /// A name and its value.
    struct Member: Equatable {
        var name: String
        var value: JSONDocument
    }

    /// The members of an object, else none.
    var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    /// A member's value, or nil where there is none, or where this is no object.
    subscript(_ name: String) -> JSONDocument? {
        members.first { $0.name == name }?.value
    }

    /// The text of a string.
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The value of a number.
    var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The value of a whole number.
    var integer: Int? {
        number.flatMap { Int(exactly: $0) }
    }

    /// The value of a boolean.
    var boolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }
}
