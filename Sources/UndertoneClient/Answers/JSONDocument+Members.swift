internal import UndertoneColor

/// Members that a reply must have; where one is missing or of another type it is `malformedReply`.
extension JSONDocument {
    /// Takes a member's value.
    func member(_ name: String) throws(ClientError) -> JSONDocument {
        guard let value = self[name] else { throw .malformedReply }
        return value
    }

    /// Takes a number.
    func number(_ name: String) throws(ClientError) -> Double {
        guard let number = self[name]?.number else { throw .malformedReply }
        return number
    }

    /// Takes a whole number.
    func integer(_ name: String) throws(ClientError) -> Int {
        guard let integer = self[name]?.integer else { throw .malformedReply }
        return integer
    }

    /// Takes a string.
    func text(_ name: String) throws(ClientError) -> String {
        guard let text = self[name]?.text else { throw .malformedReply }
        return text
    }

    /// Takes a boolean.
    func boolean(_ name: String) throws(ClientError) -> Bool {
        guard let boolean = self[name]?.boolean else { throw .malformedReply }
        return boolean
    }

    /// Takes a colour, `#rrggbb`.
    func color(_ name: String) throws(ClientError) -> RGB8 {
        try RGB8(member(name))
    }

    /// Takes an array.
    func elements(_ name: String) throws(ClientError) -> [JSONDocument] {
        guard case .array(let elements) = self[name] else { throw .malformedReply }
        return elements
    }

    /// Tells whether a member has a value: it has none where nothing can be seen.
    func has(_ name: String) -> Bool {
        self[name].map { $0 != .null } ?? false
    }
}

extension RGB8 {
    init(_ document: JSONDocument) throws(ClientError) {
        guard let text = document.text, let color = RGB8(hex: text) else { throw .malformedReply }
        self = color
    }
}
