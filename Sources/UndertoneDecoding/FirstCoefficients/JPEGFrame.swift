import UndertoneProtocol

/// The components of a JPEG in blocks of 8 × 8 values, by its frame header (ITU-T T.81, annex A).
struct JPEGFrame {
    /// A color component. Its blocks stand row by row behind those of the component before.
    struct Component {
        var id: UInt8
        var horizontal, vertical: Int
        var quantizationTable: Int
        /// The blocks that show something of the picture.
        var columns = 0
        var rows = 0
        /// The first block's place among those of all components, and the blocks from one row to
        /// the next, with those that fill up the units of interleaved scans.
        var start = 0
        var stride = 0
    }

    /// The order in which a scan goes through the blocks of some components.
    struct Order {
        /// A block within a unit, and how its place grows from row to row and column to column.
        struct Block {
            /// Which of the scan's components it is of.
            var component: Int
            var start, rowStep, columnStep: Int
        }

        /// Units, down and across.
        var rows, columns: Int
        var blocks: [Block] = []

        /// How many blocks there are in all.
        var blockCount: Int { rows * columns * blocks.count }
    }

    /// Blocks in a unit of an interleaved scan, at most.
    private static let blocksInUnit = 10

    private(set) var components: [Component] = []
    /// The blocks of all components.
    private(set) var blockCount = 0
    /// The largest sampling factors along each axis.
    let widest, highest: Int
    private let rows, columns: Int

    /// Reads the content of a frame header of 8 bits a value; `nil` if it has anything unusual.
    init?(_ content: Span<UInt8>) {
        guard let count = content.byte(at: 5), (1...4).contains(count),
            content.count == 6 + 3 * Int(count), content[0] == 8,
            let height = content.bigEndian(at: 1, bytes: 2), height > 0,
            let width = content.bigEndian(at: 3, bytes: 2), width > 0
        else { return nil }
        for offset in stride(from: 6, to: content.count, by: 3) {
            let component = Component(
                id: content[offset], horizontal: Int(content[offset + 1] >> 4),
                vertical: Int(content[offset + 1] & 15),
                quantizationTable: Int(content[offset + 2]))
            guard (1...4).contains(component.horizontal), (1...4).contains(component.vertical),
                component.quantizationTable < 4,
                !components.contains(where: { $0.id == component.id })
            else { return nil }
            components.append(component)
        }
        widest = components.reduce(1) { max($0, $1.horizontal) }
        highest = components.reduce(1) { max($0, $1.vertical) }
        // Of sides of sixteen bits and factors up to four: nothing here overflows.
        columns = (width + 8 * widest - 1) / (8 * widest)
        rows = (height + 8 * highest - 1) / (8 * highest)
        for index in components.indices {
            let (horizontal, vertical) = (components[index].horizontal, components[index].vertical)
            components[index].columns = (width * horizontal + 8 * widest - 1) / (8 * widest)
            components[index].rows = (height * vertical + 8 * highest - 1) / (8 * highest)
            components[index].start = blockCount
            components[index].stride = columns * horizontal
            blockCount += columns * horizontal * rows * vertical
        }
        // A block has 64 coefficients of two bytes.
        guard blockCount <= Limits.coefficientBytes / 128 else { return nil }
    }

    /// The order of a scan of some components; `nil` if it may not have so many.
    func order(of indices: [Int]) -> Order? {
        if indices.count == 1 {
            let component = components[indices[0]]
            let block = Order.Block(
                component: 0, start: component.start, rowStep: component.stride, columnStep: 1)
            return Order(rows: component.rows, columns: component.columns, blocks: [block])
        }
        var order = Order(rows: rows, columns: columns)
        for (position, index) in indices.enumerated() {
            let component = components[index]
            for y in 0..<component.vertical {
                for x in 0..<component.horizontal {
                    order.blocks.append(
                        Order.Block(
                            component: position, start: component.start + y * component.stride + x,
                            rowStep: component.vertical * component.stride,
                            columnStep: component.horizontal))
                }
            }
        }
        return order.blocks.count <= Self.blocksInUnit ? order : nil
    }
}
