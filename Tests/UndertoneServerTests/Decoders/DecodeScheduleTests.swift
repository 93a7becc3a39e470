import TestSupport
import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneServer

@Suite struct DecodeScheduleTests {
    private typealias Key = DecodeSchedule.Key

    private static func job(_ name: String) -> DecodeJob {
        DecodeJob(path: Array("/\(name)".utf8))
    }

    private static func key(_ name: String) -> Key { Key(job(name), identity: nil) }

    private static func identity(_ inode: UInt64) -> FileIdentity {
        FileIdentity(device: 1, inode: inode, size: 3, modified: 4, changed: 5)
    }

    @Test func noMoreWorkBeginsThanThereAreSlots() {
        var schedule = DecodeSchedule(slots: 2)
        let works = ["a", "b", "c"].map {
            schedule.submit(Self.key($0), client: 1, priority: .normal).work
        }
        #expect(schedule.queued == 3)
        #expect(schedule.startNext() == works[0])
        #expect(schedule.startNext() == works[1])
        #expect(schedule.startNext() == nil)
        #expect(schedule.running == 2)
        #expect(schedule.answer(works[0]).count == 1)
        // Answered, but its child is not known to be gone.
        #expect(schedule.startNext() == nil)
        schedule.release(works[0])
        #expect(schedule.startNext() == works[2])
        #expect(schedule.queued == 0)
    }

    @Test func workWithoutAKeyIsNeverShared() {
        var schedule = DecodeSchedule(slots: 4)
        let one = schedule.submit(nil, client: 1, priority: .normal)
        let other = schedule.submit(nil, client: 1, priority: .normal)
        #expect(!one.joined && !other.joined)
        #expect(one.work != other.work)
        #expect(schedule.startNext() == one.work)
        #expect(schedule.answer(one.work) == [one.waiter])
        schedule.release(one.work)
        #expect(schedule.cancel(other.waiter) == .dropped(other.work))
        #expect(schedule.running == 0)
    }

    @Test func looksAreSharedAndNotTakenForDecodes() {
        var schedule = DecodeSchedule(slots: 4)
        var look = Self.key("a")
        look.isLook = true
        let decode = schedule.submit(Self.key("a"), client: 1, priority: .normal)
        let first = schedule.submit(look, client: 1, priority: .normal)
        let second = schedule.submit(look, client: 2, priority: .normal)
        #expect(!first.joined && first.work != decode.work)
        #expect(second.joined && second.work == first.work)
    }

    @Test func questionsAboutOnePictureShareItsWorkUntilItIsAnswered() {
        var schedule = DecodeSchedule(slots: 4)
        let first = schedule.submit(Self.key("a"), client: 1, priority: .normal)
        let second = schedule.submit(Self.key("a"), client: 2, priority: .normal)
        #expect(!first.joined && second.joined)
        #expect(first.work == second.work)
        #expect(schedule.startNext() == first.work)
        #expect(schedule.startNext() == nil)
        let third = schedule.submit(Self.key("a"), client: 3, priority: .normal)
        #expect(third.work == first.work)
        #expect(
            schedule.answer(first.work) == [first.waiter, second.waiter, third.waiter])
        let later = schedule.submit(Self.key("a"), client: 1, priority: .normal)
        #expect(!later.joined)
        #expect(later.work != first.work)
    }

    @Test func theSameFileByTwoPathsIsTheSameWorkAndOtherRegionsAreNot() {
        let plain = Key(Self.job("a"), identity: Self.identity(7))
        #expect(plain == Key(Self.job("link"), identity: Self.identity(7)))
        #expect(plain != Key(Self.job("a"), identity: Self.identity(8)))
        #expect(plain != Self.key("a"))
        var job = Self.job("a")
        job.regions = [RegionRectangle(x: 0, y: 0, width: 1, height: 0.5)]
        #expect(plain != Key(job, identity: Self.identity(7)))
        job = Self.job("a")
        job.sampling = .exact
        #expect(plain != Key(job, identity: Self.identity(7)))
        job = Self.job("a")
        job.backdrop = .black
        #expect(plain != Key(job, identity: Self.identity(7)))
    }

    @Test func sharedWorkBeginsAtTheEarliestTurnOfThoseWhoWait() {
        var schedule = DecodeSchedule(slots: 1)
        for name in ["x1", "x2", "x3"] {
            _ = schedule.submit(Self.key(name), client: 1, priority: .normal)
        }
        let shared = schedule.submit(Self.key("shared"), client: 1, priority: .normal)
        _ = schedule.submit(Self.key("shared"), client: 2, priority: .normal)
        var order: [DecodeSchedule.Work] = []
        while let work = schedule.startNext() {
            order.append(work)
            _ = schedule.answer(work)
            schedule.release(work)
        }
        #expect(order.count == 4)
        #expect(order[1] == shared.work)
    }

    @Test func aNormalQuestionLiftsIdleWorkThatItJoins() {
        var schedule = DecodeSchedule(slots: 1)
        let idle = schedule.submit(Self.key("ahead"), client: 1, priority: .idle)
        let other = schedule.submit(Self.key("other"), client: 2, priority: .normal)
        _ = schedule.submit(Self.key("ahead"), client: 3, priority: .normal)
        #expect(schedule.startNext() == other.work)
        _ = schedule.answer(other.work)
        schedule.release(other.work)
        #expect(schedule.startNext() == idle.work)
        _ = schedule.answer(idle.work)
        schedule.release(idle.work)
        // The idle position went with it.
        #expect(schedule.startNext() == nil)
        #expect(schedule.queued == 0)
    }

    @Test func cancellingTheLastQuestionDropsWhatHasNotBegun() {
        var schedule = DecodeSchedule(slots: 1)
        let first = schedule.submit(Self.key("a"), client: 1, priority: .normal)
        let second = schedule.submit(Self.key("a"), client: 2, priority: .normal)
        #expect(schedule.cancel(first.waiter) == .nothing)
        #expect(schedule.cancel(first.waiter) == .nothing)
        #expect(schedule.cancel(second.waiter) == .dropped(first.work))
        #expect(schedule.startNext() == nil)
        #expect(schedule.queued == 0)
        #expect(!schedule.submit(Self.key("a"), client: 1, priority: .normal).joined)
    }

    @Test func cancellingTheLastQuestionAbandonsWhatHasBegun() {
        var schedule = DecodeSchedule(slots: 1)
        let first = schedule.submit(Self.key("a"), client: 1, priority: .normal)
        #expect(schedule.startNext() == first.work)
        #expect(schedule.cancel(first.waiter) == .abandoned(first.work))
        // Its child is about to be killed, so nobody may join it.
        let next = schedule.submit(Self.key("a"), client: 2, priority: .normal)
        #expect(!next.joined)
        #expect(schedule.startNext() == nil)
        schedule.release(first.work)
        #expect(schedule.startNext() == next.work)
    }

    @Test func aWaiterWhoseWorkWasAnsweredCannotBeCancelled() {
        var schedule = DecodeSchedule(slots: 1)
        let only = schedule.submit(Self.key("a"), client: 1, priority: .normal)
        _ = schedule.startNext()
        #expect(schedule.answer(only.work) == [only.waiter])
        #expect(schedule.cancel(only.waiter) == .nothing)
        #expect(schedule.answer(only.work) == [])
    }

    @Test func aLostSlotIsMissingUntilItsChildIsGone() {
        var schedule = DecodeSchedule(slots: 2)
        let works = (0..<3).map {
            schedule.submit(Self.key("\($0)"), client: 1, priority: .normal).work
        }
        for _ in 0..<2 { _ = schedule.startNext() }
        _ = schedule.answer(works[0])
        schedule.lose(works[0])
        schedule.lose(works[0])
        #expect(schedule.lost == 1)
        #expect(!schedule.isExhausted)
        _ = schedule.answer(works[1])
        schedule.lose(works[1])
        #expect(schedule.isExhausted)
        #expect(schedule.waitingWork == [works[2]])
        schedule.release(works[1])
        #expect(schedule.lost == 1)
        #expect(schedule.startNext() == works[2])
    }

    @Test func workThatNeverBeganCanBeAnswered() {
        var schedule = DecodeSchedule(slots: 1)
        let only = schedule.submit(Self.key("a"), client: 1, priority: .normal)
        #expect(schedule.answer(only.work) == [only.waiter])
        #expect(schedule.startNext() == nil)
        #expect(schedule.queued == 0)
    }

    /// Random questions, cancellations and ends; at every step the books must balance.
    @Test func theBooksBalanceOverManyRandomSteps() {
        var random = SeededGenerator(seed: 1)
        var schedule = DecodeSchedule(slots: 3)
        var waiting: Set<DecodeSchedule.Waiter> = []
        var running: Set<DecodeSchedule.Work> = []
        var answered = 0
        var asked = 0
        for _ in 0..<5000 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                let name = "\(Int.random(in: 0..<6, using: &random))"
                let client = Int.random(in: 0..<4, using: &random)
                let priority: Request.Priority = Bool.random(using: &random) ? .normal : .idle
                waiting.insert(
                    schedule.submit(Self.key(name), client: client, priority: priority).waiter)
                asked += 1
            case 2:
                if let work = schedule.startNext() { running.insert(work) }
            case 3:
                if let work = running.popFirst() {
                    let waiters = schedule.answer(work)
                    #expect(waiters.isSubset(of: waiting))
                    waiting.subtract(waiters)
                    answered += waiters.count
                    schedule.release(work)
                }
            default:
                if let waiter = waiting.popFirst() {
                    answered += 1
                    if case .abandoned(let work) = schedule.cancel(waiter) {
                        #expect(running.contains(work))
                    }
                }
            }
            #expect(schedule.running == running.count)
            #expect(schedule.running <= 3)
        }
        while !running.isEmpty || schedule.queued > 0 {
            while let work = schedule.startNext() { running.insert(work) }
            guard let work = running.popFirst() else { break }
            answered += schedule.answer(work).count
            schedule.release(work)
        }
        #expect(answered == asked)
        #expect(schedule.queued == 0)
    }
}
