import Glibc
import Testing
import UndertoneProtocol

@testable import UndertoneDecoding

@Suite struct ResourceLimitsTests {
    private func limits(_ limits: ResourceLimits) -> [String: rlim_t] {
        Dictionary(uniqueKeysWithValues: limits.rows.map { ($0.name, $0.limit) })
    }

    @Test func boundEverythingThatAChildCanUseUp() {
        #expect(
            limits(ResourceLimits(.raster, isSanitized: false)) == [
                "RLIMIT_CPU": 11, "RLIMIT_NOFILE": 5, "RLIMIT_FSIZE": 0, "RLIMIT_CORE": 0,
                "RLIMIT_DATA": 1 << 30,
            ])
    }

    /// Threads can use up the processors' time side by side, and only the wide profile has them.
    @Test(arguments: [
        (DecoderProfile.raster, 10, 8, 11), (.raster, 40, 2, 41), (.wide, 10, 1, 11),
        (.wide, 10, 8, 81), (.wide, 40, 2, 81), (.wide, 3600, 4, 14401),
    ])
    func letNoDeadlinePassUnused(
        _ profile: DecoderProfile, deadline: Int, processors: Int, expected: rlim_t
    ) throws {
        let limits = ResourceLimits(profile, deadlineSeconds: deadline, processors: processors)
        let row = try #require(limits.rows.first { $0.name == "RLIMIT_CPU" })
        #expect(row.limit == expected)
        // Otherwise the first signal is SIGKILL, which says nothing.
        #expect(row.grace == 1)
    }

    @Test func leaveRoomForFontsInTheWideProfileOnly() {
        #expect(limits(ResourceLimits(.wide))["RLIMIT_NOFILE"] == 37)
        #expect(limits(ResourceLimits(.raster))["RLIMIT_NOFILE"] == 5)
        #expect(limits(ResourceLimits(descriptors: 7))["RLIMIT_NOFILE"] == 7)
        #expect(ChildDescriptors.watchCount == 7)
    }

    @Test func leaveRoomForASanitizersShadow() {
        #expect(limits(ResourceLimits(.raster, isSanitized: true))["RLIMIT_DATA"] == nil)
    }
}
