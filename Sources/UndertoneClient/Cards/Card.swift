internal import GLibSupport
internal import UndertoneColor

/// A swatch card: a row for each picture, one below the other.
struct Card {
    /// The width of the card, and what is left of it for a row.
    static let width = 720.0
    static let rowWidth = width - 2 * margin
    private static let margin = 24.0
    private static let gap = 28.0

    /// The colours of the card itself.
    enum Paper {
        static let sheet = RGB8.white
        static let edge = RGB8(packed: 0xd0d7de)
        static let ink = RGB8(packed: 0x1f2328)
        static let pencil = RGB8(packed: 0x59636e)
    }

    private var rows = SVG()
    private var names: [String] = []
    private var bottom = Card.margin

    /// Adds a row below the others.
    mutating func append(_ row: CardRow) {
        if !names.isEmpty { bottom += Card.gap }
        rows.draw(row.drawing, Card.margin, bottom)
        bottom += row.height
        names.append(row.name)
    }

    /// The whole card as a file.
    var svg: String {
        let height = bottom + Card.margin
        var sheet = SVG()
        sheet.rectangle(0, 0, Card.width, height, Paper.sheet, radius: 16, border: Paper.edge)
        sheet.draw(rows, 0, 0)
        return sheet.file(width: Card.width, height: height, title: names.joined(separator: ", "))
    }
}

/// One picture's row on a card: its name, a few facts, and a drawing below.
struct CardRow {
    /// The name as it is written.
    let name: String
    /// All of the row, its origin being the upper left corner.
    private(set) var drawing = SVG()
    /// How much of the card it takes.
    private(set) var height = 20.0

    /// The distance between the name and the drawing.
    private static let gap = 14.0
    /// The mean widths of a name's letters and of the facts', in the widest fonts there are.
    private static let (nameWidth, factWidth) = (9.6, 7.7)

    /// Creates a row without a drawing.
    init(_ name: String, _ facts: String) {
        self.name = name
        let room = Card.rowWidth - CardRow.gap - Double(facts.count) * CardRow.factWidth
        // The end of a name tells more than what stands in the middle of its path.
        let shown = name.shortened(to: Int(room / CardRow.nameWidth))
        drawing.write(shown, 0, 15, Card.Paper.ink, .init(size: 15, isBold: true))
        drawing.write(
            facts, Card.rowWidth, 15, Card.Paper.pencil, .init(size: 13, anchor: .end))
    }

    /// Creates the row of a picture that has no answer.
    init(_ name: [UInt8], refusal: ReplyError) {
        self.init(printable(name), printable(refusal.code))
    }

    /// Puts a drawing below all that is there.
    mutating func append(_ other: SVG, height: Double) {
        self.height += CardRow.gap
        drawing.draw(other, 0, self.height)
        self.height += height
    }
}
