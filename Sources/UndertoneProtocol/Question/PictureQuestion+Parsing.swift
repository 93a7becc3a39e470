extension PictureQuestion {
    private struct Operation {
        var name: String
        /// The names of what a request may hold besides what every request may.
        var fieldNames: [String]
        var request: @Sendable (RequestFields) throws(RequestError) -> Request
    }

    private static let operations: [Operation] = [
        Operation(name: "color", fieldNames: ColorRequest.fieldNames) {
            fields throws(RequestError) in .color(try ColorRequest(fields))
        },
        Operation(name: "palette", fieldNames: PaletteRequest.fieldNames) {
            fields throws(RequestError) in .palette(try PaletteRequest(fields))
        },
        Operation(name: "indicator", fieldNames: IndicatorRequest.fieldNames) {
            fields throws(RequestError) in .indicator(try IndicatorRequest(fields))
        },
        Operation(name: "transition", fieldNames: TransitionRequest.fieldNames) {
            fields throws(RequestError) in .transition(try TransitionRequest(fields))
        },
        Operation(name: "theme", fieldNames: ThemeRequest.fieldNames) {
            fields throws(RequestError) in .theme(try ThemeRequest(fields))
        },
    ]

    /// The names of the operations that ask about pictures.
    static let operationNames = operations.map(\.name)

    /// Understands a question about pictures; nil where the operation is another one.
    ///
    /// - Parameters:
    ///   - operation: The operation's name.
    ///   - fields: The members of the request.
    ///   - common: The names of members that the request may hold besides.
    init?(
        _ operation: String, _ fields: RequestFields, besides common: [String]
    ) throws(RequestError) {
        guard let known = Self.operations.first(where: { $0.name == operation }) else {
            return nil
        }
        try fields.allowOnly(common + known.fieldNames)
        self.init(try known.request(fields))
    }
}
