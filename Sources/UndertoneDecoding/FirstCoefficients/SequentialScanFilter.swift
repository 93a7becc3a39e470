/// A JPEG in one scan without the coefficients that a picture at an eighth of its size has no use
/// for: those of the components that have a pixel for each block there.
///
/// The loader would decode them one by one before it leaves them out, which is most of its work.
/// All else stays as it is, bit by bit: other components are had at twice the size and more, by all
/// of their coefficients.
package struct SequentialScanFilter {
    private var frame: JPEGFrame?
    private var restartInterval = 0
    private var firstTables = [HuffmanDefinition?](repeating: nil, count: 4)
    private var otherTables = [HuffmanDefinition?](repeating: nil, count: 4)

    /// Writes a file without them; `nil` where anything about it is unusual. `end` is where the
    /// data of its only scan end.
    package static func make(_ bytes: Span<UInt8>, end: Int) -> [UInt8]? {
        var filter = SequentialScanFilter()
        do throws(JPEGFault) {
            return try filter.read(bytes, end: end)
        } catch {
            return nil
        }
    }

    private mutating func read(_ bytes: Span<UInt8>, end: Int) throws(JPEGFault) -> [UInt8]? {
        var segments = JPEGSegments(0..<end)
        while let (code, content) = try segments.next(bytes) {
            let segment = bytes.extracting(content)
            switch code {
            case 0xC0 where frame == nil, 0xC1 where frame == nil:
                guard let frame = JPEGFrame(segment) else { throw JPEGFault() }
                self.frame = frame
            case 0xC4:
                for definition in try HuffmanDefinition.all(in: segment) {
                    if definition.isOfOthers {
                        otherTables[definition.number] = definition
                    } else {
                        firstTables[definition.number] = definition
                    }
                }
            case 0xDD:
                guard segment.count == 2, let interval = segment.bigEndian(at: 0, bytes: 2) else {
                    throw JPEGFault()
                }
                restartInterval = interval
            case 0xDA:
                return try write(bytes, try scan(segment), data: content.upperBound..<end)
            case 0xDB, 0xE0...0xEF, 0xFE:
                break
            default:
                throw JPEGFault()
            }
        }
        return nil
    }

    /// How the scan with a header goes through the blocks, if it has all components in order.
    private func scan(_ header: Span<UInt8>) throws(JPEGFault) -> FilteredScan {
        guard let frame, header.count == 4 + 2 * frame.components.count,
            Int(header[0]) == frame.components.count,
            header.bigEndian(at: header.count - 3, bytes: 3) == 63 << 8,
            let order = frame.order(of: Array(frame.components.indices))
        else { throw JPEGFault() }
        var scan = FilteredScan(order: order, restartInterval: restartInterval)
        for (index, component) in frame.components.enumerated() {
            let selectors = Int(header[2 + 2 * index])
            guard header[1 + 2 * index] == component.id, selectors >> 4 < 4, selectors & 15 < 4,
                let first = firstTables[selectors >> 4],
                first.symbols.allSatisfy({ $0 < 16 }),
                let others = otherTables[selectors & 15],
                scan.add(first, others, keepsOthers: frame.isLargerAtAnEighth(component))
            else { throw JPEGFault() }
        }
        return scan
    }

    private func write(
        _ bytes: Span<UInt8>, _ scan: FilteredScan, data: Range<Int>
    ) throws(JPEGFault) -> [UInt8] {
        // Each block takes a bit of each kind.
        guard scan.order.blockCount <= 4 * data.count else { throw JPEGFault() }
        var isWritten = false
        let capacity = data.upperBound + scan.unitBytes + 32
        let written = [UInt8](capacity: capacity) { written in
            for index in 0..<data.lowerBound { written.append(bytes[index]) }
            isWritten = scan.filter(bytes, data, into: &written)
            written.append(0xFF)
            written.append(0xD9)
        }
        guard isWritten else { throw JPEGFault() }
        return written
    }
}

extension JPEGFrame {
    /// Whether libjpeg-turbo makes more than a pixel of each block of a component, where it makes
    /// one of those that the picture has most of: it does before it would enlarge the component,
    /// where that is along both axes.
    func isLargerAtAnEighth(_ component: Component) -> Bool {
        widest % (2 * component.horizontal) == 0 && highest % (2 * component.vertical) == 0
    }
}
