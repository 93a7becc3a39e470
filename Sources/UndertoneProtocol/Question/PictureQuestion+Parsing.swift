extension PictureQuestion {
    /// The names of the operations that ask about pictures.
    static let operationNames = ["color", "palette", "indicator", "transition", "theme"]

    /// Understands a question about pictures; nil where the operation is another one.
    ///
    /// - Parameters:
    ///   - operation: The operation's name.
    ///   - fields: The members of the request.
    ///   - common: The names of members that the request may hold besides.
    init?(
        _ operation: String, _ fields: RequestFields, besides common: [String]
    ) throws(RequestError) {
        switch operation {
        case "color":
            try fields.allowOnly(common + ColorRequest.fieldNames)
            self.init(.color(try ColorRequest(fields)))
        case "palette":
            try fields.allowOnly(common + PaletteRequest.fieldNames)
            self.init(.palette(try PaletteRequest(fields)))
        case "indicator":
            try fields.allowOnly(common + IndicatorRequest.fieldNames)
            self.init(.indicator(try IndicatorRequest(fields)))
        case "transition":
            try fields.allowOnly(common + TransitionRequest.fieldNames)
            self.init(.transition(try TransitionRequest(fields)))
        case "theme":
            try fields.allowOnly(common + ThemeRequest.fieldNames)
            self.init(.theme(try ThemeRequest(fields)))
        default:
            return nil
        }
    }
}
