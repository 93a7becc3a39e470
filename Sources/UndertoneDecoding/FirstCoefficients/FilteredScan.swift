/// A sequential scan of all components (ITU-T T.81, annex F.2.2), of some of which only first
/// coefficients are kept.
struct FilteredScan {
    /// How the blocks of a component are coded, in plain values: looking at one is not to count
    /// references.
    private struct Coding: BitwiseCopyable {
        /// Which component's they are.
        var component: Int
        /// Where its look-ups begin among those of all: of one first coefficient, of one other, and
        /// of several others.
        var firstLookup, otherLookup, severalLookup: Int
        var keepsOthers: Bool
        /// The code behind its last coefficient.
        var endCode: UInt64
        var endLength: Int
    }

    /// What the last look at several coefficients has told.
    private enum Look {
        case known, unknown, end
    }

    /// How many such looks the bits are enough for that one code and its value leave.
    private static let looksAfterCode =
        (BitReader.readyBits - CoefficientCodes.Step.mostBits) / CoefficientCodes.lookupBits
    private static let looksAfterFill = BitReader.readyBits / CoefficientCodes.lookupBits
    /// Coefficients of a block.
    private static let coefficients = 64
    /// Bytes that a block takes, at most: 31 bits for each coefficient, and zeros behind ones.
    private static let blockBytes = 512

    let order: JPEGFrame.Order
    private let restartInterval: Int
    private var codings: [Coding] = []
    /// Each component's table of first coefficients and that of others, for what is not looked up.
    private var tables: [CoefficientCodes] = []
    /// The look-ups of single codes, one table after the other.
    private var single: [CoefficientCodes.Step] = []
    /// The look-ups of several other coefficients.
    private var several: [CoefficientCodes.Step] = []
    /// The place of the latter for each table that is there, once: they are small enough for the
    /// nearest cache.
    private var places: [[UInt8]: Int] = [:]

    /// Prepares for units of blocks, and as many of them between restart markers, or 0.
    init(order: JPEGFrame.Order, restartInterval: Int) {
        self.order = order
        self.restartInterval = restartInterval
    }

    /// Bytes that a unit and what comes before and behind it take, at most.
    var unitBytes: Int { Self.blockBytes * (order.blocks.count + 1) }

    /// Adds the next component's tables; false if they are none.
    mutating func add(
        _ first: HuffmanDefinition, _ others: HuffmanDefinition, keepsOthers: Bool
    ) -> Bool {
        guard let firstCodes = CoefficientCodes(first), let codes = CoefficientCodes(others),
            let end = codes.endOfBlock
        else { return false }
        let name = others.counts + others.symbols
        let place = places[name] ?? several.count
        if places.updateValue(place, forKey: name) == nil { several += codes.several() }
        codings.append(
            Coding(
                component: codings.count, firstLookup: single.count,
                otherLookup: single.count + firstCodes.single.count, severalLookup: place,
                keepsOthers: keepsOthers, endCode: end.code, endLength: end.length))
        single += firstCodes.single + codes.single
        tables += [firstCodes, codes]
        return true
    }

    /// Writes the scan's data; false if anything is wrong with them, or they do not fit.
    func filter(
        _ bytes: Span<UInt8>, _ data: Range<Int>, into written: inout OutputSpan<UInt8>
    ) -> Bool {
        var reader = BitReader(data)
        var writer = BitWriter()
        let blockCodings = order.blocks.map { codings[$0.component] }
        let blocks = blockCodings.span
        let unitBytes = unitBytes
        var restarts = 0
        var unitsLeft = restartInterval
        for _ in 0..<order.rows * order.columns {
            if written.freeCapacity < unitBytes { return false }
            if restartInterval > 0 {
                if unitsLeft == 0 {
                    let number = restarts % 8
                    guard reader.restart(bytes, number: number) else { return false }
                    writer.finish(into: &written)
                    written.append(0xFF)
                    written.append(0xD0 + UInt8(number))
                    restarts += 1
                    unitsLeft = restartInterval
                }
                unitsLeft -= 1
            }
            for index in blocks.indices {
                let isPassed = pass(
                    bytes, blocks[index], from: &reader, to: &writer, into: &written)
                if !isPassed { return false }
            }
        }
        writer.finish(into: &written)
        return reader.isAtEnd
    }

    /// Passes a block on; false if it is none.
    @inline(__always)
    private func pass(
        _ bytes: Span<UInt8>, _ coding: Coding, from reader: inout BitReader,
        to writer: inout BitWriter, into written: inout OutputSpan<UInt8>
    ) -> Bool {
        let single = single.span
        reader.fill(bytes)
        var first = single[coding.firstLookup &+ reader.beginning(CoefficientCodes.codeBits)]
        if first.bits == 0 { first = long(coding, isOfOthers: false, reader) }
        if first.bits == 0 { return false }
        writer.append(UInt64(reader.beginning(first.bits)), first.bits, into: &written)
        reader.drop(first.bits)
        let isPassed =
            coding.keepsOthers
            ? passOthers(bytes, coding, isKept: true, from: &reader, to: &writer, into: &written)
            : passOthers(bytes, coding, isKept: false, from: &reader, to: &writer, into: &written)
        if !isPassed { return false }
        if !coding.keepsOthers {
            writer.append(coding.endCode, coding.endLength, into: &written)
        }
        return reader.count >= 0
    }

    /// Passes a block's other coefficients on or over; false if they are none.
    @inline(__always)
    private func passOthers(
        _ bytes: Span<UInt8>, _ coding: Coding, isKept: Bool, from reader: inout BitReader,
        to writer: inout BitWriter, into written: inout OutputSpan<UInt8>
    ) -> Bool {
        let single = single.span
        let several = several.span
        var place = 1
        @inline(__always)
        func take(_ step: CoefficientCodes.Step) {
            if isKept {
                writer.append(UInt64(reader.beginning(step.bits)), step.bits, into: &written)
            }
            reader.drop(step.bits)
            place &+= step.coefficients
        }
        @inline(__always)
        func look(_ times: Int) -> Look {
            for _ in 0..<times {
                let step = several[
                    coding.severalLookup &+ reader.beginning(CoefficientCodes.lookupBits)]
                // A block may end with its last coefficient, and the next one begin in these bits.
                if place &+ step.coefficients >= Self.coefficients { return .unknown }
                take(step)
                if step.endsBlock { return .end }
            }
            return .known
        }
        var last = look(Self.looksAfterCode)
        while last != .end {
            reader.fill(bytes)
            if last == .known {
                last = look(Self.looksAfterFill)
                continue
            }
            var step = single[coding.otherLookup &+ reader.beginning(CoefficientCodes.codeBits)]
            if step.bits == 0 { step = long(coding, isOfOthers: true, reader) }
            if step.bits == 0 { return false }
            take(step)
            if step.endsBlock || place >= Self.coefficients { break }
            last = look(Self.looksAfterCode)
        }
        return true
    }

    /// What a code tells that is too long to be looked up.
    @inline(never)
    private func long(
        _ coding: Coding, isOfOthers: Bool, _ reader: BitReader
    ) -> CoefficientCodes.Step {
        let tables = tables.span
        let place = 2 * coding.component + (isOfOthers ? 1 : 0)
        return tables[place].long(reader.beginning(16))
    }
}
