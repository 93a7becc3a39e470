/// The worst of a set of colours under a scrim of each opacity.
///
/// Only a front's colours are looked at: whatever another colour exceeds in every channel stays
/// behind it under any scrim, and the rule for equal composites prefers the other one.
enum ScrimExtremes {
    /// For each step of a black scrim, the colour whose eight-bit composite is the lightest; of
    /// those with equally light composites the lightest colour, then the one of the highest
    /// 0xrrggbb.
    static func worstUnderBlack(_ front: [UInt32]) -> [RGB8] {
        Search(front, scrim: 0, sign: 0).run()
    }

    /// For each step of a white scrim, the colour whose eight-bit composite is the darkest; of
    /// those with equally dark composites the darkest colour, then the one of the lowest 0xrrggbb.
    static func worstUnderWhite(_ front: [UInt32]) -> [RGB8] {
        Search(front, scrim: 255, sign: .max).run()
    }
}

/// Finds the worst colour for all steps by halving the range of steps.
///
/// With every step each composite moves towards the scrim. So a colour whose composite at the first
/// step of a range is less extreme than another's at the last step is so in the whole range and is
/// left out within it: most ranges soon have a single candidate.
@safe private struct Search: ~Copyable {
    /// A colour and how bad its composites are at the first and the last step of a range.
    struct Candidate: BitwiseCopyable {
        var color: UInt32 = 0
        var first: UInt64 = 0
        var last: UInt64 = 0
    }

    /// The scrim's value in every channel: 0 or 255.
    private let scrim: UInt32
    /// What keys are combined with: 0 where the lightest colour is sought, all ones for the
    /// darkest.
    private let sign: UInt64
    private let tables = PixelTables.shared
    /// The candidates of all ranges that are being searched, the innermost range's last. 255 steps
    /// are halved eight times, and a range has its candidates twice.
    private let stack: ZeroedBuffer<Candidate>
    private let count: Int
    private var worst = [RGB8](repeating: .black, count: 256)

    init(_ front: [UInt32], scrim: UInt32, sign: UInt64) {
        self.scrim = scrim
        self.sign = sign
        count = front.count
        stack = ZeroedBuffer(count: 17 * max(1, front.count))
        for (index, color) in front.enumerated() {
            let (first, last) = (badness(color, 0), badness(color, 255))
            unsafe stack.base[index] = Candidate(color: color, first: first, last: last)
        }
    }

    consuming func run() -> [RGB8] {
        settle(0, 0..<count) { $0.first }
        settle(255, 0..<count) { $0.last }
        search(0, 255, 0..<count)
        return worst
    }

    /// Finds the worst colours of the steps between two that are settled, given the candidates;
    /// what lies behind them on the stack is free.
    private mutating func search(_ first: Int, _ last: Int, _ range: Range<Int>) {
        if last - first < 2 { return }
        var threshold: UInt64 = 0
        for index in range { threshold = unsafe max(threshold, stack.base[index].last) }
        let start = range.upperBound
        var end = start
        for index in range where unsafe stack.base[index].first >= threshold {
            unsafe stack.base[end] = stack.base[index]
            end += 1
        }
        if end - start == 1 {
            let color = unsafe RGB8(packed: stack.base[start].color)
            for step in first + 1..<last { worst[step] = color }
            return
        }
        let middle = (first + last) / 2
        let size = end - start
        for index in start..<end {
            var candidate = unsafe stack.base[index]
            candidate.first = badness(candidate.color, middle)
            unsafe stack.base[index + size] = candidate
            unsafe stack.base[index].last = candidate.first
        }
        settle(middle, start..<end) { $0.last }
        search(middle, last, end..<end + size)
        search(first, middle, start..<end)
    }

    /// Settles one step, given all that can be its worst.
    @inline(__always)
    private mutating func settle(
        _ step: Int, _ range: Range<Int>, _ badness: (Candidate) -> UInt64
    ) {
        var best: (badness: UInt64, rank: UInt64, color: UInt32) = (0, 0, 0)
        for index in range {
            let candidate = unsafe stack.base[index]
            let bad = badness(candidate)
            if bad < best.badness { continue }
            let rank = tables.key(candidate.color) ^ sign
            if bad > best.badness || rank > best.rank { best = (bad, rank, candidate.color) }
        }
        worst[step] = RGB8(packed: best.color)
    }

    /// How bad a colour's composite with the scrim is: its luminance, or the complement of it.
    @inline(__always)
    private func badness(_ color: UInt32, _ step: Int) -> UInt64 {
        let kept = UInt32(truncatingIfNeeded: 255 &- step)
        let added = scrim &* UInt32(truncatingIfNeeded: step) &+ 128
        @inline(__always)
        func mixed(_ value: UInt32) -> UInt32 {
            // With x = value·kept + scrim·step, at most 255², this is x/255 rounded.
            let sum = value &* kept &+ added
            return (sum &+ sum &>> 8) &>> 8
        }
        let red = mixed(color &>> 16)
        let green = mixed(color &>> 8 & 255)
        let blue = mixed(color & 255)
        return (tables.key(red, green, blue) ^ sign) &>> 24
    }
}
