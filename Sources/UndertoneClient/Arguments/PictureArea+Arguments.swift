internal import UndertoneProtocol

extension PictureArea {
    /// Understands `x,y,width,height` or `EDGE:SIZE`; nil for anything else.
    init?(argument area: String) {
        if let colon = area.firstIndex(of: ":") {
            guard let edge = Edge(rawValue: String(area[..<colon])),
                let size = Double(area[area.index(after: colon)...]), size > 0, size <= 1
            else { return nil }
            self = .edge(edge, size: size)
            return
        }
        let numbers = area.split(separator: ",", omittingEmptySubsequences: false).map {
            Double($0)
        }
        guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
            let height = numbers[3], 0..<1 ~= x, 0..<1 ~= y, width > 0, height > 0,
            max(x + width, y + height) <= 1 + RegionRectangle.tolerance
        else { return nil }
        self = .rectangle(x: x, y: y, width: width, height: height)
    }

    /// What an area must look like, for people.
    static let form = "x,y,width,height or EDGE:SIZE, with numbers from 0 to 1"
}
