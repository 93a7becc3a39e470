import Testing

@testable import UndertoneColor

@Suite struct TransitionTests {
    @Test(arguments: Transition.Space.allCases)
    func textIsNeverBelow458(space: Transition.Space) {
        var generator = SeededGenerator(1)
        var lowest = 21.0
        for _ in 0..<200 {
            let transition = Transition(
                from: .random(using: &generator), to: .random(using: &generator), frames: 30,
                in: space, target: 4.5)
            #expect(transition.frames.count == 30)
            #expect(transition.frames.allSatisfy { $0.foreground.meets && $0.secondary.meets })
            #expect(transition.lowest == transition.frames.map(\.foreground.contrast).min())
            lowest = min(lowest, transition.lowest)
        }
        #expect(lowest >= 4.58)
    }

    @Test(arguments: Transition.Space.allCases)
    func endsAreTheColors(space: Transition.Space) {
        var generator = SeededGenerator(2)
        for count in [2, 3, 240] {
            let (from, to) = (RGB8.random(using: &generator), RGB8.random(using: &generator))
            let transition = Transition(from: from, to: to, frames: count, in: space, target: 4.5)
            #expect(transition.frames.first?.background == from)
            #expect(transition.frames.last?.background == to)
            #expect(transition.frames.count == count)
        }
    }

    /// Half-way through OKLab from black to white is L 0.5, and through sRGB 127.5.
    @Test func middleOfBlackAndWhite() {
        let oklab = Transition(from: .black, to: .white, frames: 3, in: .oklab, target: 4.5)
        #expect(oklab.frames[1].background.hex == "#636363")
        let srgb = Transition(from: .black, to: .white, frames: 3, in: .srgb, target: 4.5)
        #expect(srgb.frames[1].background.hex == "#808080")
    }

    @Test(arguments: Transition.Space.allCases)
    func textFlipsWhereLuminanceCrosses(space: Transition.Space) throws {
        let transition = Transition(from: .black, to: .white, frames: 50, in: space, target: 4.5)
        let flip = try #require(transition.flip)
        // Of greys, 117 is the last under white text: 117.5/255, and its lightness in OKLab.
        let value = 117.5 / 255
        let expected = space == .srgb ? value : Roots.cube(TransferFunction.decode(value))
        #expect(abs(flip - expected) < 1e-4)
        for (index, frame) in transition.frames.enumerated() {
            let isBefore = Double(index) / 49 < flip
            #expect(frame.foreground.color == (isBefore ? .white : .black))
        }
    }

    @Test func withoutACrossingThereIsNoFlip() {
        let transition = Transition(
            from: .black, to: RGB8(packed: 0x40_0020), frames: 9, in: .oklab, target: 4.5)
        #expect(transition.flip == nil)
        let still = Transition(from: .white, to: .white, frames: 2, in: .oklab, target: 4.5)
        #expect(still.flip == nil)
        #expect(abs(still.lowest - 21) < 1e-12)
    }

    /// A way back gives the same frames, and so the same lowest ratio.
    @Test func backIsTheSameWay() {
        var generator = SeededGenerator(3)
        for _ in 0..<50 {
            let (from, to) = (RGB8.random(using: &generator), RGB8.random(using: &generator))
            let there = Transition(from: from, to: to, frames: 9, in: .oklab, target: 4.5)
            let back = Transition(from: to, to: from, frames: 9, in: .oklab, target: 4.5)
            #expect(abs(there.lowest - back.lowest) < 0.05)
        }
    }
}
