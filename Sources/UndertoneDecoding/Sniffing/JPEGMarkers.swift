/// Follows the markers of a JPEG that comes in pieces up to its end (ITU-T T.81, annex B).
struct JPEGMarkers {
    /// What the next byte is.
    private enum Place {
        /// Entropy-coded data, or filler, up to a marker.
        case data
        /// A marker's code, behind one 0xFF or more.
        case code
        /// A segment's length, of which the first byte has come or not.
        case length(first: UInt8?)
        /// The rest of a segment.
        case segment(left: Int)
    }

    private var place = Place.data
    /// Whether the marker of the picture's end has come.
    private(set) var haveEnded = false

    /// Goes through the next piece.
    mutating func pass(_ piece: Span<UInt8>) {
        var offset = 0
        while offset < piece.count, !haveEnded {
            if case .segment(let left) = place {
                let passed = min(left, piece.count - offset)
                offset += passed
                place = passed == left ? .data : .segment(left: left - passed)
                continue
            }
            if case .data = place {
                guard let found = piece.firstOffset(of: 0xFF, from: offset) else { return }
                offset = found
            }
            take(piece[offset])
            offset += 1
        }
    }

    private mutating func take(_ byte: UInt8) {
        switch place {
        case .data:
            place = .code
        case .code where byte == 0xFF:
            break
        case .code where byte == 0xD9:
            haveEnded = true
        case .code:
            // A byte of data, a restart marker, and SOI and TEM stand alone.
            let isAlone = byte <= 0x01 || (0xD0...0xD8).contains(byte)
            place = isAlone ? .data : .length(first: nil)
        case .length(first: nil):
            place = .length(first: byte)
        case .length(let first?):
            let length = Int(first) << 8 | Int(byte)
            place = length > 2 ? .segment(left: length - 2) : .data
        case .segment:
            break
        }
    }
}
