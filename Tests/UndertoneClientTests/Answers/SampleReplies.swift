@testable import UndertoneClient

/// Results of each operation as the specification shows them, to be taken apart and drawn.
enum SampleReplies {
    static let image = #"{"width":40,"height":30,"format":"png","complete":true}"#

    static let palette = #"""
        {"result":{"image":\#(image),"opacity":1,"colors":[\#
        {"color":"#9ab3d0","share":0.75,"foreground":{"color":"#000000","contrast":9.73285,"meets":true}},\#
        {"color":"#402010","share":0.249999,"foreground":{"color":"#ffffff","contrast":14.6,"meets":true}},\#
        {"color":"#c81414","share":0.000001,"foreground":{"color":"#ffffff","contrast":5.89,"meets":false}}],\#
        "accent":{"color":"#c81414","share":0.000001,\#
        "foreground":{"color":"#ffffff","contrast":5.89,"meets":false}},"newer":1}}
        """#

    static let indicator = #"""
        {"result":{"image":\#(image),"opacity":0.5,"average":{"simple":"#9ab3d0"},"base":"#9ab3d0",\#
        "scheme":"dark","material":{"color":"#000000","opacity":0.40784},"background":"#5b6a7b",\#
        "labels":{"active":{"color":"#ffffff","contrast":7.01,"meets":true},\#
        "others":{"color":"#c8cdd3","contrast":4.5,"meets":true}},\#
        "dots":{"current":{"color":"#c8cdd4","contrast":4.51,"meets":true},\#
        "others":{"color":"#a0a8b2","contrast":3,"meets":true}},\#
        "glyph":{"image":\#(image),"style":"tint","reason":"tooLittleContrast","color":"#fffffe",\#
        "contrast":7,"meets":true}}}
        """#

    static let transition = #"""
        {"result":{"from":{"color":"#000000"},"to":{"color":"#ffffff","image":\#(image)},\#
        "space":"oklab","flip":0.46,"lowest":5.2,"frames":[\#
        {"position":0,"background":"#000000","foreground":{"color":"#ffffff","contrast":21,"meets":true},\#
        "secondary":{"color":"#747474","contrast":4.5,"meets":true}},\#
        {"position":0.5,"background":"#636363","foreground":{"color":"#fffffe","contrast":6,"meets":true},\#
        "secondary":{"color":"#dedede","contrast":4.5,"meets":true}},\#
        {"position":1,"background":"#ffffff","foreground":{"color":"#000000","contrast":21,"meets":true},\#
        "secondary":{"color":"#767676","contrast":4.54,"meets":true}}]}}
        """#

    static let theme: String = {
        // Colour N is #N00000 and so on: each is told from the others.
        let digits = (0..<16).map { String($0, radix: 16) }
        let colors = digits.enumerated().map { ##""color\##($0)":"#\##($1)00000""## }
        let roles = [
            "accent", "surface", "muted", "border", "error", "success", "warning", "info",
        ].enumerated().map { ##""\##($1)":"#0000\##($0)0""## }
        return #"""
            {"result":{"image":\#(image),"opacity":1,"scheme":"light","background":"#000000",\#
            "foreground":"#f00000","cursor":"#00ff00","colors":{\#(colors.joined(separator: ","))},\#
            "roles":{\#(roles.joined(separator: ","))},"lowest":4.53999}}
            """#
    }()

    /// What an operation answers about a picture of which nothing can be seen, all else null.
    static func invisible(_ members: String) -> String {
        #"{"result":{"image":\#(image),"opacity":0,\#(members)}}"#
    }

    /// Takes an answer out of a reply.
    static func answer<Answer: PictureAnswer>(
        _ reply: String, as: Answer.Type = Answer.self
    ) throws(ClientError) -> Answer {
        try Answer(JSONDocument.result(of: Array(reply.utf8)))
    }
}
