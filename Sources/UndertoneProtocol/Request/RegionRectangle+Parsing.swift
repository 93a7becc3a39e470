extension RegionRectangle {
    /// How far beyond the picture's edge a rectangle may reach by its client's rounding.
    public static let tolerance = 1e-5
    /// The width and height that a smaller rectangle is widened to: less than a pixel of any
    /// picture that can be decoded, and large enough for its area to be a number.
    private static let smallest = 1e-6

    /// Returns the named areas of a request, in the order in which they were named.
    static func named(
        in fields: RequestFields
    ) throws(RequestError) -> [(name: String, area: RegionRectangle)] {
        guard let value = fields["regions"] else { return [] }
        guard case .object(let members) = value else {
            throw .invalid("regions must be an object of names and areas")
        }
        guard members.count <= Limits.regions else {
            throw .invalid("regions must be at most \(Limits.regions)")
        }
        let areas = RequestFields(members, owner: fields.name("regions"))
        var named: [(name: String, area: RegionRectangle)] = []
        for member in members {
            guard 1...Limits.regionNameBytes ~= member.name.utf8.count else {
                throw .invalid(
                    "a name in regions must be 1 to \(Limits.regionNameBytes) bytes long")
            }
            if let area = try areas.object(member.name) {
                named.append((member.name, try RegionRectangle(area)))
            }
        }
        return named
    }

    /// Returns the area of a request that is about one; nil for the whole picture.
    static func area(in fields: RequestFields) throws(RequestError) -> RegionRectangle? {
        guard let area = try fields.object("area") else { return nil }
        let rectangle = try RegionRectangle(area)
        return rectangle == RegionRectangle(x: 0, y: 0, width: 1, height: 1) ? nil : rectangle
    }

    /// Understands an area: either an edge with a size, or a rectangle.
    private init(_ fields: RequestFields) throws(RequestError) {
        if let edge: Edge = try fields.choice("edge") {
            try fields.allowOnly(["edge", "size"])
            self = edge.area(try fields.length("size"))
            return
        }
        try fields.allowOnly(["x", "y", "width", "height"])
        let x = try fields.position("x")
        let y = try fields.position("y")
        let width = try fields.length("width")
        let height = try fields.length("height")
        guard x + width <= 1 + RegionRectangle.tolerance else {
            throw .invalid("\(fields.name("x")) + width must be at most 1")
        }
        guard y + height <= 1 + RegionRectangle.tolerance else {
            throw .invalid("\(fields.name("y")) + height must be at most 1")
        }
        (self.x, self.width) = RegionRectangle.within(x, width)
        (self.y, self.height) = RegionRectangle.within(y, height)
    }

    /// Fits a span, which may be too small or stand out by a rounding error, into 0…1.
    private static func within(_ start: Double, _ length: Double) -> (Double, Double) {
        let length = max(length, smallest)
        // A negative zero would be another key in the cache.
        let start = min(start, 1 - smallest) + 0
        return (start, min(length, 1 - start))
    }

    /// A side of the picture.
    private enum Edge: String, CaseIterable {
        case top, bottom, left, right

        /// The strip along this side that takes up a share of the picture.
        func area(_ size: Double) -> RegionRectangle {
            let size = max(size, smallest)
            return switch self {
            case .top: RegionRectangle(x: 0, y: 0, width: 1, height: size)
            case .bottom: RegionRectangle(x: 0, y: 1 - size, width: 1, height: size)
            case .left: RegionRectangle(x: 0, y: 0, width: size, height: 1)
            case .right: RegionRectangle(x: 1 - size, y: 0, width: size, height: 1)
            }
        }
    }
}

extension RequestFields {
    /// Returns a required distance from the picture's left or top, in fractions of its size.
    fileprivate func position(_ key: String) throws(RequestError) -> Double {
        guard let value = self[key] else { throw .invalid("\(name(key)) is missing") }
        guard let number = value.number, 0 <= number, number < 1 else {
            throw .invalid("\(name(key)) must be at least 0 and below 1")
        }
        return number
    }

    /// Returns a required width or height, in fractions of the picture's.
    fileprivate func length(_ key: String) throws(RequestError) -> Double {
        guard let value = self[key] else { throw .invalid("\(name(key)) is missing") }
        guard let number = value.number, 0 < number, number <= 1 else {
            throw .invalid("\(name(key)) must be above 0 and at most 1")
        }
        return number
    }
}
