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
                "RLIMIT_DATA": 512 << 20,
            ])
    }

    @Test func leaveRoomForFontsInTheWideProfileOnly() {
        #expect(limits(ResourceLimits(.wide))["RLIMIT_NOFILE"] == 37)
        #expect(limits(ResourceLimits(.raster))["RLIMIT_NOFILE"] == 5)
    }

    @Test func leaveRoomForASanitizersShadow() {
        #expect(limits(ResourceLimits(.raster, isSanitized: true))["RLIMIT_DATA"] == nil)
    }
}
