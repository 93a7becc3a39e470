/// The worst colours under scrims of every opacity.
enum ScrimExtremes {
    /// For each step of a black scrim, the colour whose composite is the lightest; of those with
    /// equal composites the lightest colour, then the one of the highest 0xrrggbb.
    static func worstUnderBlack(_ front: [RGB8]) -> [RGB8] {
        let tables = PixelTables.shared
        return (0...255).map { step in
            front.max { one, other in
                let a = tables.key(one.underBlackScrim(step)) >> 24
                let b = tables.key(other.underBlackScrim(step)) >> 24
                return a != b ? a < b : tables.key(one) < tables.key(other)
            } ?? .black
        }
    }

    /// For each step of a white scrim, the colour whose composite is the darkest; of those with
    /// equal composites the darkest colour, then the one of the lowest 0xrrggbb.
    static func worstUnderWhite(_ front: [RGB8]) -> [RGB8] {
        let tables = PixelTables.shared
        return (0...255).map { step in
            front.min { one, other in
                let a = tables.key(one.underWhiteScrim(step)) >> 24
                let b = tables.key(other.underWhiteScrim(step)) >> 24
                return a != b ? a < b : tables.key(one) < tables.key(other)
            } ?? .black
        }
    }
}
